/* Of the Qthreads interface (qloop.h), for C++: loops over objects that are called with a range.
 * That of a reduction has a type `acctype`, a value `identity` and a function `accumulate`. */
#ifndef QTHREAD_QLOOP_HPP
#define QTHREAD_QLOOP_HPP

#include "qloop.h"

template <class T>
void qloop_cpp_wrapper(size_t startat, size_t stopat, void* object)
{
    (*static_cast<T*>(object))(startat, stopat);
}
template <class T>
void qt_loop(size_t start, size_t stop, const T& object)
{
    qt_loop(start, stop, qloop_cpp_wrapper<T>, &const_cast<T&>(object));
}
template <class T>
void qt_loop_balance(size_t start, size_t stop, const T& object)
{
    qt_loop_balance(start, stop, qloop_cpp_wrapper<T>, &const_cast<T&>(object));
}
template <class T>
void qt_loop_balance_simple(size_t start, size_t stop, const T& object)
{
    qt_loop_balance_simple(start, stop, qloop_cpp_wrapper<T>, &const_cast<T&>(object));
}

template <class T>
void qloop_accum_cpp_wrapper(size_t startat, size_t stopat, void* object, void* ret)
{
    *static_cast<typename T::acctype*>(ret) = (*static_cast<T*>(object))(startat, stopat);
}
template <class T>
typename T::acctype qt_loopaccum_balance(size_t start, size_t stop, const T& object)
{
    typename T::acctype sum(T::identity);
    qt_loopaccum_balance(start, stop, sizeof sum, &sum, qloop_accum_cpp_wrapper<T>,
                         &const_cast<T&>(object), (qt_accum_f)(T::accumulate));
    return sum;
}

#endif

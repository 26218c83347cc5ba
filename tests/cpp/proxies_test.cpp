// Sequences whose iterators give no references: two arrays that are sorted together.
#include "support.hpp"

#include <compare>
#include <iterator>
#include <utility>

namespace proxies {

// Two arrays as one sequence of pairs, as programs sort keys with their values: what an iterator
// gives is no reference.
struct both {
    int* key;
    int* value;
    struct element {
        int key;
        int value;
        element(const both& b) : key(*b.key), value(*b.value) {}
    };
    const both& operator=(const element& e) const
    {
        *key = e.key;
        *value = e.value;
        return *this;
    }
    const both& operator=(const both& other) const { return *this = element(other); }
    both(const both&) = default;
    both(int* k, int* v) : key(k), value(v) {}
    friend void swap(both a, both b)
    {
        std::swap(*a.key, *b.key);
        std::swap(*a.value, *b.value);
    }
};
inline int key_of(const both& b)
{
    return *b.key;
}
inline int key_of(const both::element& e)
{
    return e.key;
}
inline constexpr auto by_key = [](const auto& a, const auto& b) { return key_of(a) < key_of(b); };

}  // namespace proxies

template <template <class> class A, template <class> class B>
struct std::basic_common_reference<proxies::both, proxies::both::element, A, B> {
    using type = proxies::both::element;
};
template <template <class> class A, template <class> class B>
struct std::basic_common_reference<proxies::both::element, proxies::both, A, B> {
    using type = proxies::both::element;
};

namespace proxies {

class pair_iterator {
public:
    using value_type = both::element;
    using reference = both;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;
    pair_iterator() = default;
    pair_iterator(int* k, int* v) : key_(k), value_(v) {}
    both operator*() const { return {key_, value_}; }
    both operator[](std::ptrdiff_t n) const { return *(*this + n); }
    pair_iterator& operator+=(std::ptrdiff_t n)
    {
        key_ += n;
        value_ += n;
        return *this;
    }
    pair_iterator& operator-=(std::ptrdiff_t n) { return *this += -n; }
    pair_iterator& operator++() { return *this += 1; }
    pair_iterator& operator--() { return *this += -1; }
    pair_iterator operator++(int) { return std::exchange(*this, *this + 1); }
    pair_iterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend pair_iterator operator+(pair_iterator i, std::ptrdiff_t n) { return i += n; }
    friend pair_iterator operator+(std::ptrdiff_t n, pair_iterator i) { return i += n; }
    friend pair_iterator operator-(pair_iterator i, std::ptrdiff_t n) { return i += -n; }
    friend std::ptrdiff_t operator-(pair_iterator a, pair_iterator b) { return a.key_ - b.key_; }
    friend auto operator<=>(pair_iterator, pair_iterator) = default;
    friend both::element iter_move(const pair_iterator& i) { return *i; }
    friend void iter_swap(const pair_iterator& a, const pair_iterator& b) { swap(*a, *b); }

private:
    int* key_ = nullptr;
    int* value_ = nullptr;
};

}  // namespace proxies

TEST(parallel_sort, sorts_sequences_of_proxies)
{
    constexpr int n = 300000;  // enough for a partition by several
    std::vector<int> keys(n);
    std::vector<int> values(n);
    for (const int seed : {1, 7919, -1}) {  // in order, in none, in reverse
        for (int i = 0; i < n; ++i) {
            const int key = static_cast<int>((static_cast<long>(i) * seed % n + n) % n);
            keys[static_cast<std::size_t>(i)] = key;
            values[static_cast<std::size_t>(i)] = key + 1;
        }
        using proxies::pair_iterator;
        artel::parallel_sort(pair_iterator(keys.data(), values.data()),
                             pair_iterator(keys.data() + n, values.data() + n), proxies::by_key);
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(keys[static_cast<std::size_t>(i)], i);
            ASSERT_EQ(values[static_cast<std::size_t>(i)], i + 1);
        }
    }
}

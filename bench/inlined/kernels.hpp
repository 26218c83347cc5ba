// The ten loop bodies, each compiled in four forms of the loop around it.
#pragma once

#include <artel/artel.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

enum class form { plain, automatic, static_, openmp };
constexpr int forms = 4;
constexpr const char* form_names[forms] = {"plain", "automatic", "static", "openmp"};

// The loop over [0, n) in that form, with the body in the caller's code.
template <form f, class Body>
[[gnu::always_inline]] inline void loop(int n, Body&& body)
{
    if constexpr (f == form::plain) {
        for (int i = 0; i < n; ++i) {
            body(i);
        }
    } else if constexpr (f == form::automatic) {
        artel::parallel_for(0, n, body);
    } else if constexpr (f == form::static_) {
        artel::parallel_for(0, n, body, artel::static_{});
    } else {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) {
            body(i);
        }
    }
}

struct data {
    int n = 20000;
    std::vector<double> x, y, z;
    std::vector<float> mass, px, py, pz, force;
    std::vector<int> row_begin, column, bins;
    std::vector<std::uint8_t> bytes;
    std::vector<std::string> words;
    std::vector<std::uint64_t> hashes;

    data() : x(n), y(n), z(n), mass(n), px(n), py(n), pz(n), force(n), bins(n), bytes(n), hashes(n)
    {
        std::uint64_t random = 88172645463325252;
        const auto next = [&] {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            return random;
        };
        for (int i = 0; i < n; ++i) {
            x[i] = static_cast<double>(next() % 1000) / 1000;
            y[i] = static_cast<double>(next() % 1000) / 1000;
            px[i] = static_cast<float>(x[i]);
            py[i] = static_cast<float>(y[i]);
            pz[i] = static_cast<float>(next() % 1000) / 1000;
            mass[i] = 1 + static_cast<float>(next() % 10);
            bytes[i] = static_cast<std::uint8_t>(next());
            row_begin.push_back(static_cast<int>(column.size()));
            for (unsigned entries = next() % 32; entries > 0 && i < 2000; --entries) {
                column.push_back(static_cast<int>(next() % static_cast<unsigned>(n)));
            }
        }
        row_begin.push_back(static_cast<int>(column.size()));
        z.resize(std::max<std::size_t>(z.size(), column.size()), 0.5);
        for (int i = 0; i < 2000; ++i) {
            words.emplace_back(4 + next() % 24, static_cast<char>('a' + next() % 26));
        }
    }
};

// Each returns its number of iterations.
template <form f>
[[gnu::noinline]] int saxpy(data& d)
{
    const double a = 1.0001;
    double* const x = d.x.data();
    double* const y = d.y.data();
    loop<f>(d.n, [&](int i) { y[i] = a * x[i] + 0.5 * y[i]; });
    return d.n;
}

template <form f>
[[gnu::noinline]] int stencil(data& d)
{
    const int n = d.n - 2;
    loop<f>(n, [&](int i) { d.z[i + 1] = 0.25 * d.x[i] + 0.5 * d.x[i + 1] + 0.25 * d.x[i + 2]; });
    return n;
}

template <form f>
[[gnu::noinline]] int sparse_row(data& d)
{
    const double* const x = d.x.data();
    const double* const values = d.z.data();
    const int* const column = d.column.data();
    const int* const begin = d.row_begin.data();
    double* const y = d.y.data();
    loop<f>(2000, [&](int i) {
        double sum = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) {
            sum += values[k] * x[column[k]];
        }
        y[i] = sum;
    });
    return 2000;
}

// The sum of a block.
template <form f>
[[gnu::noinline]] int reduce(data& d)
{
    constexpr int block = 64;
    const int n = d.n / block;
    const double* const x = d.x.data();
    double* const sums = d.y.data();
    loop<f>(n, [=](int b) {
        double sum = 0;
        for (int i = b * block; i < (b + 1) * block; ++i) {
            sum += x[i];
        }
        sums[b] = sum;
    });
    return n;
}

// One step of a scan by doubling.
template <form f>
[[gnu::noinline]] int scan_step(data& d)
{
    constexpr int far = 16;
    const int n = d.n - far;
    const std::vector<double>& from = d.x;
    std::vector<double>& to = d.y;
    loop<f>(n, [&](int i) { to[i + far] = from[i] + from[i + far]; });
    return n;
}

template <form f>
[[gnu::noinline]] int transpose_block(data& d)
{
    constexpr int block = 8;
    constexpr int side = 128;
    constexpr int blocks = side / block;
    const double* const from = d.x.data();
    double* const to = d.y.data();
    loop<f>(blocks * blocks, [&](int b) {
        const int row = b / blocks * block;
        const int col = b % blocks * block;
        for (int i = row; i < row + block; ++i) {
            for (int j = col; j < col + block; ++j) {
                to[j * side + i] = from[i * side + j];
            }
        }
    });
    return blocks * blocks;
}

template <form f>
[[gnu::noinline]] int mandelbrot(data& d)
{
    constexpr int side = 40;
    loop<f>(side * side, [&](int p) {
        const double cx = -2 + 3.0 * (p % side) / side;
        const double cy = -1.5 + 3.0 * (p / side) / side;
        double zx = 0;
        double zy = 0;
        int steps = 0;
        while (steps < 60 && zx * zx + zy * zy < 4) {
            const double next = zx * zx - zy * zy + cx;
            zy = 2 * zx * zy + cy;
            zx = next;
            ++steps;
        }
        d.bins[p] = steps;
    });
    return side * side;
}

// Histograms of blocks of bytes, one for each block.
template <form f>
[[gnu::noinline]] int histogram(data& d)
{
    constexpr int block = 1000;
    const int n = d.n / block;
    loop<f>(n, [&](int b) {
        int* const mine = &d.bins[static_cast<std::size_t>(b * 256)];
        for (int i = b * block; i < (b + 1) * block; ++i) {
            ++mine[d.bytes[i]];
        }
    });
    return n;
}

template <form f>
[[gnu::noinline]] int string_hash(data& d)
{
    loop<f>(2000, [&](int i) {
        std::uint64_t h = 14695981039346656037u;
        for (const char c : d.words[i]) {
            h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
        }
        d.hashes[i] = h;
    });
    return 2000;
}

template <form f>
[[gnu::noinline]] int n_body(data& d)
{
    constexpr int bodies = 192;
    loop<f>(bodies, [&](int i) {
        float sum = 0;
        for (int j = 0; j < bodies; ++j) {
            const float dx = d.px[j] - d.px[i];
            const float dy = d.py[j] - d.py[i];
            const float dz = d.pz[j] - d.pz[i];
            const float square = dx * dx + dy * dy + dz * dz + 0.01F;
            sum += d.mass[j] * dx / (square * std::sqrt(square));
        }
        d.force[i] = sum;
    });
    return bodies;
}

struct kernel {
    const char* name;
    int (*run[forms])(data&);
};

#define KERNEL(name)                                                                          \
    {                                                                                         \
        #name,                                                                                \
        {                                                                                     \
            name<form::plain>, name<form::automatic>, name<form::static_>, name<form::openmp> \
        }                                                                                     \
    }
inline const kernel kernels[] = {KERNEL(saxpy),      KERNEL(stencil),   KERNEL(sparse_row),
                                 KERNEL(reduce),     KERNEL(scan_step), KERNEL(transpose_block),
                                 KERNEL(mandelbrot), KERNEL(histogram), KERNEL(string_hash),
                                 KERNEL(n_body)};

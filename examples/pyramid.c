/* Detail enhancement with Laplacian pyramids: three levels of nested parallel loops.
 *
 * A batch of pictures is worked on in parallel; each picture has its colour planes worked on in
 * parallel; and each filter on a plane is a parallel loop over rows. The planes halve at every
 * level of the pyramid, so most of the inner loops are short. It is the way such code grows: every
 * routine is parallel because it was slow when it was alone.
 *
 * A plane is split into a pyramid of differences between itself and a smoothed half-size copy (Burt
 * and Adelson's 5-tap kernel), the differences are amplified and the picture is put together again.
 * With --gain 100 the pyramid is only taken apart and put together, which must give the picture
 * back: the program checks that first. */
#include "example.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>

enum { planes = 3, most_levels = 16 };

/* One colour plane, values from 0 to 1. */
typedef struct {
    int width, height;
    float* value;
} plane_t;

static plane_t plane_new(int width, int height)
{
    return (plane_t){width, height, allocate((size_t)width * (size_t)height * sizeof(float))};
}

static int clamp(int i, int size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* Smooths and keeps every second sample of every second row. */
static plane_t reduce(const plane_t* p, int threads)
{
    static const float tap[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};
    const plane_t half = plane_new((p->width + 1) / 2, (p->height + 1) / 2);
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x) {
            float sum = 0;
            for (int j = -2; j <= 2; ++j) {
                const float* row = p->value +
                                   (size_t)clamp(2 * y + j, p->height) * (size_t)p->width;
                float across = 0;
                for (int i = -2; i <= 2; ++i)
                    across += tap[i + 2] * row[clamp(2 * x + i, p->width)];
                sum += tap[j + 2] * across;
            }
            half.value[(size_t)y * (size_t)half.width + (size_t)x] = sum;
        }
    return half;
}

/* target += sign * (half, doubled by linear interpolation). */
static void add_doubled(plane_t* target, const plane_t* half, float sign, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < target->height; ++y) {
        const float* upper = half->value + (size_t)(y / 2) * (size_t)half->width;
        const float* lower = half->value +
                             (size_t)clamp((y + 1) / 2, half->height) * (size_t)half->width;
        float* row = target->value + (size_t)y * (size_t)target->width;
        for (int x = 0; x < target->width; ++x) {
            const int left = x / 2, right = clamp((x + 1) / 2, half->width);
            row[x] += sign * 0.25f * (upper[left] + upper[right] + lower[left] + lower[right]);
        }
    }
}

/* The library routine: amplifies the detail of one plane in place. */
static void enhance(plane_t* p, int levels, float gain, int threads)
{
    plane_t pyramid[most_levels + 1];
    pyramid[0] = *p;
    int top = 0;
    for (; top < levels && pyramid[top].width > 1 && pyramid[top].height > 1; ++top) {
        pyramid[top + 1] = reduce(&pyramid[top], threads);
        add_doubled(&pyramid[top], &pyramid[top + 1], -1, threads);
        plane_t* const detail = &pyramid[top];
#pragma omp parallel for num_threads(threads)
        for (int y = 0; y < detail->height; ++y)
            for (int x = 0; x < detail->width; ++x)
                detail->value[(size_t)y * (size_t)detail->width + (size_t)x] *= gain;
    }
    for (; top > 0; --top) {
        add_doubled(&pyramid[top - 1], &pyramid[top], 1, threads);
        free(pyramid[top].value);
    }
}

/* The next number of a PPM header; comments run from # to the end of the line. */
static int ppm_number(FILE* file, const char* path)
{
    for (int c;;) {
        int number;
        if ((c = fgetc(file)) == '#') {
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        } else if (c >= '0' && c <= '9') {
            ungetc(c, file);
            if (fscanf(file, "%d", &number) == 1)
                return number;
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            fail(1, "%s: the header of a binary PPM picture is broken", path);
        }
    }
}

/* Reads a binary PPM (P6, one byte per value) into three planes. */
static void read_ppm(const char* path, plane_t colour[planes])
{
    FILE* const file = fopen(path, "rb");
    if (!file)
        fail(1, "cannot open %s: %s", path, strerror(errno));
    if (fgetc(file) != 'P' || fgetc(file) != '6')
        fail(1, "%s is not a binary PPM picture (it has to start with P6)", path);
    const int width = ppm_number(file, path), height = ppm_number(file, path),
              top = ppm_number(file, path);
    if (width < 1 || height < 1 || width > 65536 || height > 65536 || top != 255)
        fail(1, "%s: %d x %d pixels with values up to %d is not supported", path, width, height,
             top);
    fgetc(file);
    const size_t pixels = (size_t)width * (size_t)height;
    unsigned char* const bytes = allocate(pixels * planes);
    if (fread(bytes, planes, pixels, file) != pixels)
        fail(1, "%s ends before its last pixel", path);
    fclose(file);
    for (int c = 0; c < planes; ++c) {
        colour[c] = plane_new(width, height);
        for (size_t i = 0; i < pixels; ++i)
            colour[c].value[i] = (float)bytes[planes * i + (size_t)c] / 255.f;
    }
    free(bytes);
}

/* Without a file: rings that get finer towards a corner. */
static void draw_rings(int size, plane_t colour[planes])
{
    for (int c = 0; c < planes; ++c) {
        colour[c] = plane_new(size, size);
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                colour[c].value[(size_t)y * (size_t)size + (size_t)x] = 0.5f +
                                                                        0.5f * sinf(0.0005f *
                                                                                    (float)(c + 1) *
                                                                                    (float)(x * x +
                                                                                            y * y) /
                                                                                    (float)size);
    }
}

static plane_t copy_of(const plane_t* p)
{
    const plane_t copy = plane_new(p->width, p->height);
    memcpy(copy.value, p->value, (size_t)p->width * (size_t)p->height * sizeof(float));
    return copy;
}

static unsigned char byte_of(float value)
{
    return (unsigned char)(value <= 0 ? 0 : value >= 1 ? 255 : value * 255 + 0.5f);
}

static void usage(void)
{
    puts(
        "usage: pyramid [options]\n"
        "Amplifies the detail of a batch of pictures with Laplacian pyramids: parallel over "
        "pictures, over colour planes\n"
        "and over rows.\n\n"
        "  --picture FILE   a binary PPM picture to work on (default: rings, drawn 512 x 512)\n"
        "  --output FILE    write the first picture of the batch as a PPM\n"
        "  --batch N        pictures; each is worked on with its own gain (default 4)\n"
        "  --passes N       times the batch is worked on (default 8)\n"
        "  --levels N       levels of the pyramid (default 8)\n"
        "  --gain N         amplification of the first picture's detail in percent (default 150)\n"
        "  --outer N        threads over the pictures (default 4)\n"
        "  --inner N        threads over the rows of a plane (default 4)\n"
        "  --help           this text");
}

int main(int argc, char** argv)
{
    const char *picture = NULL, *output = NULL;
    int batch = 4, passes = 8, levels = 8, gain = 150, outer = 4, inner = 4;
    static const struct option options[] = {
        {"picture", 1, 0, 'p'}, {"output", 1, 0, 'w'}, {"batch", 1, 0, 'b'}, {"passes", 1, 0, 'n'},
        {"levels", 1, 0, 'l'},  {"gain", 1, 0, 'g'},   {"outer", 1, 0, 'o'}, {"inner", 1, 0, 'i'},
        {"help", 0, 0, 'h'},    {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 'p': picture = optarg; break;
        case 'w': output = optarg; break;
        case 'b': batch = (int)parse_long("batch", optarg, 1, 10000); break;
        case 'n': passes = (int)parse_long("passes", optarg, 1, 1000000); break;
        case 'l': levels = (int)parse_long("levels", optarg, 1, most_levels); break;
        case 'g': gain = (int)parse_long("gain", optarg, 0, 10000); break;
        case 'o': outer = (int)parse_long("outer", optarg, 1, 4096); break;
        case 'i': inner = (int)parse_long("inner", optarg, 1, 4096); break;
        case 'h': usage(); return 0;
        default: return 2;
        }
    no_more_arguments(argc, argv, optind);
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);

    plane_t source[planes];
    if (picture)
        read_ppm(picture, source);
    else
        draw_rings(512, source);
    const int width = source[0].width, height = source[0].height;
    const size_t pixels = (size_t)width * (size_t)height;

    plane_t whole = copy_of(&source[0]);
    enhance(&whole, levels, 1, inner);
    for (size_t i = 0; i < pixels; ++i)
        if (!(fabsf(whole.value[i] - source[0].value[i]) < 1e-4f))
            fail(1, "taking a picture apart and putting it together changed it at pixel %zu", i);
    free(whole.value);

    unsigned char* const bytes = allocate((size_t)batch * pixels * planes);
    const double start = seconds();
    for (int pass = 0; pass < passes; ++pass) {
#pragma omp parallel for num_threads(outer) schedule(static, 1)
        for (int i = 0; i < batch; ++i) {
            unsigned char* const mine = bytes + (size_t)i * pixels * planes;
#pragma omp parallel for num_threads(planes) schedule(static, 1)
            for (int c = 0; c < planes; ++c) {
                plane_t work = copy_of(&source[c]);
                enhance(&work, levels, 0.01f * (float)(gain + 10 * i), inner);
                for (size_t k = 0; k < pixels; ++k)
                    mine[planes * k + (size_t)c] = byte_of(work.value[k]);
                free(work.value);
            }
        }
    }
    const double took = seconds() - start;
    if (output) {
        FILE* const file = fopen(output, "wb");
        if (!file)
            fail(1, "cannot write %s: %s", output, strerror(errno));
        fprintf(file, "P6\n%d %d\n255\n", width, height);
        const int written = fwrite(bytes, planes, pixels, file) == pixels;
        if (fclose(file) != 0 || !written)
            fail(1, "cannot write %s: %s", output, strerror(errno));
    }
    printf("result: pyramid %dx%d batch=%d levels=%d gain=%d checksum=%016llx\n", width, height,
           batch, levels, gain,
           (unsigned long long)checksum(CHECKSUM_START, bytes, (size_t)batch * pixels * planes));
    printf("time: %.3f s\n", took);
    free(bytes);
    for (int c = 0; c < planes; ++c)
        free(source[c].value);
    return 0;
}

/* Symmetric matrices from Matrix Market files; see matrix_market.h. They are read line by line
 * because an error message without the line is of no use in a file of a million of them. */
#include "matrix_market.h"
#include "example.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

typedef struct {
    FILE* file;
    const char* path;
    char* text; /* the current line, without its end */
    size_t room;
    long number; /* of that line, from 1 */
} lines_t;

__attribute__((noreturn)) static void fail_here(const lines_t* in, const char* message)
{
    fail(1, "%s:%ld: %s", in->path, in->number, message);
}

/* The next line; 0 at the end of the file. */
static int next_line(lines_t* in)
{
    const ssize_t length = getline(&in->text, &in->room, in->file);
    if (length < 0) {
        if (ferror(in->file))
            fail(1, "cannot read %s: %s", in->path, strerror(errno));
        return 0;
    }
    ++in->number;
    in->text[strcspn(in->text, "\r\n")] = '\0';
    return 1;
}

/* The next line that is neither blank nor a comment; 0 at the end of the file. */
static int next_data_line(lines_t* in)
{
    while (next_line(in))
        if (in->text[0] != '%' && in->text[strspn(in->text, " \t")] != '\0')
            return 1;
    return 0;
}

static void read_banner(lines_t* in)
{
    char tag[32] = "", object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "";
    if (!next_line(in))
        fail(1, "%s is empty", in->path);
    if (sscanf(in->text, "%31s %31s %31s %31s %31s", tag, object, format, field, symmetry) < 1 ||
        strcasecmp(tag, "%%MatrixMarket") != 0)
        fail_here(in, "not a Matrix Market file: the first line has to start with %%MatrixMarket");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
        fail_here(in, "only sparse matrices are read: 'matrix coordinate'");
    if (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        fail_here(in, "only matrices of real or integer numbers are read");
    if (strcasecmp(symmetry, "symmetric") != 0)
        fail_here(in, "the matrix has to be stored as symmetric");
}

/* A whole number at *text, which is moved behind it. */
static long take_long(const lines_t* in, char** text, const char* what)
{
    char* end;
    errno = 0;
    const long value = strtol(*text, &end, 10);
    if (end == *text || errno == ERANGE || (*end != '\0' && !isspace((unsigned char)*end)))
        fail_here(in, what);
    *text = end;
    return value;
}

static void nothing_else(const lines_t* in, const char* text)
{
    if (text[strspn(text, " \t")] != '\0')
        fail_here(in, "more on the line than belongs there");
}

static entry_t read_entry(const lines_t* in, int order)
{
    char *text = in->text, *end;
    const long row = take_long(in, &text, "an entry has to be 'row column value'");
    const long column = take_long(in, &text, "an entry has to be 'row column value'");
    const double value = strtod(text, &end);
    if (end == text)
        fail_here(in, "an entry has to be 'row column value'");
    nothing_else(in, end);
    if (row < 1 || row > order || column < 1 || column > order)
        fail_here(in, "the entry lies outside the matrix");
    if (!isfinite(value))
        fail_here(in, "the value is not a finite number");
    /* The format wants the lower triangle; files with the upper one exist and mean the same. */
    return (entry_t){(int)(row > column ? row : column) - 1, (int)(row > column ? column : row) - 1,
                     value};
}

symmetric_t read_matrix_market(const char* path)
{
    lines_t in = {fopen(path, "r"), path, NULL, 0, 0};
    if (!in.file)
        fail(1, "cannot open %s: %s", path, strerror(errno));
    read_banner(&in);
    if (!next_data_line(&in))
        fail(1, "%s ends before the line with the sizes", path);
    char* text = in.text;
    const long rows = take_long(&in, &text, "this line has to be 'rows columns entries'");
    const long columns = take_long(&in, &text, "this line has to be 'rows columns entries'");
    const long count = take_long(&in, &text, "this line has to be 'rows columns entries'");
    nothing_else(&in, text);
    if (rows != columns)
        fail_here(&in, "a symmetric matrix has as many rows as columns");
    if (rows < 1 || rows > 1000000)
        fail_here(&in, "the order has to be from 1 to 1000000");
    if (count < 0 || count > rows * (rows + 1) / 2)
        fail_here(&in, "that many entries do not fit into one triangle");

    symmetric_t matrix = {(int)rows, (size_t)count, allocate((size_t)count * sizeof(entry_t))};
    for (size_t i = 0; i < matrix.count; ++i) {
        if (!next_data_line(&in))
            fail(1, "%s ends after %zu of %zu entries", path, i, matrix.count);
        matrix.entry[i] = read_entry(&in, matrix.order);
    }
    if (next_data_line(&in))
        fail_here(&in, "more entries than the line with the sizes says");
    free(in.text);
    fclose(in.file);
    return matrix;
}

double multiply(const symmetric_t* matrix, double shift, const double* x, double* y)
{
    double* const sums = allocate((size_t)matrix->order * sizeof(double));
    for (int i = 0; i < matrix->order; ++i) {
        y[i] = shift * x[i];
        sums[i] = shift;
    }
    for (size_t e = 0; e < matrix->count; ++e) {
        const entry_t* const entry = &matrix->entry[e];
        y[entry->row] += entry->value * x[entry->column];
        sums[entry->row] += fabs(entry->value);
        if (entry->row != entry->column) {
            y[entry->column] += entry->value * x[entry->row];
            sums[entry->column] += fabs(entry->value);
        }
    }
    double norm = 0;
    for (int i = 0; i < matrix->order; ++i)
        norm = fmax(norm, sums[i]);
    free(sums);
    return norm;
}

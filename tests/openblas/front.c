/* What is linked to instead of an OpenBLAS: libblas.so.3, or liblapack.so.3. */
extern int blas_cpu_number;

void ROUTINE(void (*inside)(int threads, void* data), void* data)
{
    inside(blas_cpu_number, data);
}

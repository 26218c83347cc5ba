/* Linked to the stand-in as an extension module of Python is to its OpenBLAS, and resolved when it
   is loaded: what it calls was found before anybody could change what there is to find. */
void scipy_cblas_dsymm64_(void (*inside)(int threads, void* data), void* data);

void use(void (*inside)(int threads, void* data), void* data)
{
    scipy_cblas_dsymm64_(inside, data);
}

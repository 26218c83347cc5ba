#pragma omp parallel num_threads(4)
#pragma omp critical
total += n;

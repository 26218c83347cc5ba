# R's data.table: sorting, grouping, writing, reading and rolling means, in teams of
# OMP_NUM_THREADS. Prints what was computed; with a number behind the name, as bench/programs calls
# it, once to warm up and then so often again; on stderr the seconds of each of the latter.
suppressMessages(library(data.table))
setDTthreads(as.integer(Sys.getenv("OMP_NUM_THREADS", "4")))

once <- function() {
    set.seed(1)
    d <- data.table(k = sample(5000L, 4e5, TRUE), g = sample(letters, 4e5, TRUE), x = runif(4e5))
    f <- tempfile()
    begin <- proc.time()[["elapsed"]]
    setkey(d, k, g)
    s <- d[, .(n = .N, m = mean(x), s = sum(x)), by = .(k, g)]
    fwrite(s, f)
    r <- fread(f)
    rolling <- frollmean(d$x, 7)
    took <- proc.time()[["elapsed"]] - begin
    unlink(f)
    cat(getDTthreads(), nrow(s), sum(s$n), format(sum(s$s), digits = 12),
        isTRUE(all.equal(s$m, r$m)), format(sum(rolling, na.rm = TRUE), digits = 12), "\n")
    took
}

invisible(once())
times <- as.integer(commandArgs(trailingOnly = TRUE)[1])
if (!is.na(times)) {
    seconds <- replicate(times, once())
    message(paste("took", paste(sprintf("%.3f", seconds), collapse = " ")))
}

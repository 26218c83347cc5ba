{
    sum += i;
}

/**
 * A log beside the record's database that is longer than so many bytes is brought into it: each row costs the log some
 * whole pages, and no host brings it in itself, so that without a bound it grows to many times what is recorded.
 */
export const longLog = 1 << 20

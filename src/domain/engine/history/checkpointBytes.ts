/**
 * Bytes above which the write-ahead log of the record's database is checkpointed. Each row costs the log some whole
 * pages, and no host checkpoints it by itself, so without a bound it grows to many times what is recorded.
 */
export const checkpointBytes = 1 << 20

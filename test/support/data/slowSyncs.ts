import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
  const char *name = getenv("LEAP_TEST_SYNC_MS");
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  int ms = 0;
  if (file == NULL) return;
  if (fscanf(file, "%d", &ms) != 1) ms = 0;
  fclose(file);
  struct timespec span = { ms / 1000, (ms % 1000) * 1000000L };
  nanosleep(&span, NULL);
}

int fsync(int fd) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
`

/**
 * A disk whose syncs take as long as it is told, for what runs with this environment; null where there is no compiler
 * of C, or another system than Linux.
 */
export const slowSyncs = (dir: string) => {
  const library = path.join(dir, "slowSyncs.so")
  const file = path.join(dir, "syncs")
  if (process.platform !== "linux") return null
  const built = spawnSync("cc", ["-shared", "-fPIC", "-x", "c", "-o", library, "-", "-ldl"], { input: source })
  if (built.status !== 0) return null
  const take = (ms: number) => {
    fs.writeFileSync(`${file}.new`, String(ms))
    fs.renameSync(`${file}.new`, file)
  }
  take(0)
  return { take, env: { LD_PRELOAD: library, LEAP_TEST_SYNC_MS: file } }
}

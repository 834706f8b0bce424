import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

/* What a process's first thread syncs, in which a host passes keys on: a line for each, of its number and the file. */
static void tell(const char *name, int fd) {
  char link[64], to[4096], log[4096];
  if (syscall(SYS_gettid) != getpid()) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, to, sizeof to - 1);
  snprintf(log, sizeof log, "%s.first", name);
  FILE *file = fopen(log, "a");
  if (file == NULL) return;
  fprintf(file, "%d %.*s\\n", getpid(), length < 0 ? 0 : (int)length, to);
  fclose(file);
}

static void wait_for_disk(int fd) {
  const char *name = getenv("LEAP_TEST_SYNC_MS");
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  int ms = 0;
  if (file == NULL) return;
  if (fscanf(file, "%d", &ms) != 1) ms = 0;
  fclose(file);
  tell(name, fd);
  struct timespec span = { ms / 1000, (ms % 1000) * 1000000L };
  nanosleep(&span, NULL);
}

int fsync(int fd) {
  wait_for_disk(fd);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_for_disk(fd);
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
  /** The files that a process has synced in its first thread. */
  const inFirstThread = (pid: number | null): ReadonlyArray<string> =>
    fs.existsSync(`${file}.first`)
      ? fs
          .readFileSync(`${file}.first`, "utf8")
          .split("\n")
          .flatMap((line) => (line.startsWith(`${pid} `) ? [path.basename(line.slice(line.indexOf(" ") + 1))] : []))
      : []
  return { take, inFirstThread, env: { LD_PRELOAD: library, LEAP_TEST_SYNC_MS: file } }
}

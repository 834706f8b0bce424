/**
 * Settings for the C library of a host's process (glibc's manual, "Memory Allocation Tunables"; others ignore them):
 * larger pieces of freed memory return to the system. By default glibc's bounds grow with the first free, and 25 MB of
 * a flood stay for ever.
 */
export const hostMemory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

const isAllocators = (name: string): boolean => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES"

/** A host's environment. The user's own settings of the C library's allocator stay. */
export const hostEnvironment = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(env).some(isAllocators) ? { ...env } : { ...env, ...hostMemory }

/** The variables of a host's environment that its CLI does not get. */
export const hostOnly = (env: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  const names = Object.keys(hostMemory)
  return names.every((name) => env[name] === hostMemory[name]) ? names : []
}

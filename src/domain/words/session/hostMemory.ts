/**
 * For the C library of a host's process (glibc's manual, "Memory Allocation Tunables"; others pass it over): larger
 * pieces of memory go back to the system when they are free. Its own bounds grow with what is freed once, and keep
 * 25 MB of a flood for good.
 */
export const hostMemory: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072"
}

const isAllocators = (name: string): boolean => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES"

/** A host's environment: who sets the C library's allocator has it as it was set. */
export const hostEnvironment = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.keys(env).some(isAllocators) ? { ...env } : { ...env, ...hostMemory }

/** What of a host's environment was for itself alone, and is not its CLI's. */
export const hostOnly = (env: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> => {
  const names = Object.keys(hostMemory)
  return names.every((name) => env[name] === hostMemory[name]) ? names : []
}

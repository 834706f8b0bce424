/**
 * `leap/testing/suite`: the promises of every provider to leap, as tests of `@effect/vitest`. A new CLI's test file
 * calls {@link suite} with its registration, sample files of its users, and screens that it drew.
 */
export { suite, type SuiteOptions } from "../test/suites/CLIProviderSuite.ts"

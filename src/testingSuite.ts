/**
 * `leap/testing/suite`: what every provider promises to the rest of leap, as tests of `@effect/vitest`. A new CLI's
 * test file calls {@link suite} with its registration, the files that its users have, and screens that it drew.
 */
export { suite, type SuiteOptions } from "../test/suites/CLIProviderSuite.ts"

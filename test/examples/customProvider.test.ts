// The example's own test file, as its reader runs it.
import "../../examples/custom-provider.test.ts"

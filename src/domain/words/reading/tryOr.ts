/** What a call gives; `otherwise` where it throws. */
export const tryOr = <A, B>(run: () => A, otherwise: B): A | B => {
  try {
    return run()
  } catch {
    return otherwise
  }
}

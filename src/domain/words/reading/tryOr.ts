/** The call's result; `otherwise` if it throws. */
export const tryOr = <A, B>(run: () => A, otherwise: B): A | B => {
  try {
    return run()
  } catch {
    return otherwise
  }
}

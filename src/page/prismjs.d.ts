/** What is used of Prism, whose own types tell of its pages. */
declare module "prismjs/components/prism-core.js" {
  namespace Prism {
    type Tokens = string | { readonly type: string; readonly content: Tokens } | ReadonlyArray<Tokens>
  }
  const Prism: {
    readonly languages: Readonly<Record<string, object | undefined>>
    readonly tokenize: (text: string, grammar: object) => Prism.Tokens
  }
  export default Prism
}
declare module "prismjs/components/*"

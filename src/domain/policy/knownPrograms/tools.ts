import { isSure, plainWord, type ShellWord } from "../ShellWords.ts"
import { allLike, type Given, isPlainly, forEachName, noList, type Program, targets, tool, works } from "./Program.ts"

/**
 * Test runners, linters, formatters, project servers and language interpreters. Each has the options that a rule for the
 * whole program covers.
 */

/** `refused`: words outside of the rule, whatever the options. */
type Row = readonly [names: string, options: string, refused?: RegExp]
const tools = (...rows: ReadonlyArray<Row>): Readonly<Record<string, Program>> =>
  Object.fromEntries(
    rows.flatMap(([names, options, refused]) => Object.entries(forEachName(names, tool(options, refused))))
  )

/** A program with verbs after its own options. Verbs that are not listed may install, fetch, publish or delete. */
const verbs = (own: string, ...rows: ReadonlyArray<Row>): Program => ({ options: own, commands: tools(...rows) })
/** A program whose operands have this form. Other operands may be verbs. */
const named = (options: string, form: RegExp, not?: RegExp): Program => {
  const one = tool(options, not)
  // The names that a pattern finds begin with the pattern's directory.
  const known = (word: ShellWord): boolean =>
    isSure(word) || (word.globs && word.text.slice(0, word.sure).includes("/"))
  const isNamed = (word: ShellWord): boolean => known(word) && form.test(word.text)
  return { ...one, does: (given) => (given.operands.every(isNamed) ? one.does!(given) : null) }
}
/** A program that passes the words after `--` to a tool of the project. */
const handing = (options: string, form: RegExp, not?: RegExp): Program => {
  const one = named(options, form, not)
  return {
    ...one,
    does: (given) => {
      const at = given.words.findIndex(({ text }) => text === "--")
      const handed = at < 0 ? [] : given.words.slice(at + 1)
      const own = given.operands.slice(0, given.operands.length - handed.length)
      const [done, more] = [one.does!({ ...given, operands: own }), given.as(handed)]
      return done === null || more === null ? null : [...done, ...more]
    }
  }
}

/** An interpreter that runs an installed tool's file (`node node_modules/vitest/vitest.mjs`) counts as that tool. */
const byFile = (given: Given): ReturnType<typeof given.as> => {
  const [file, ...rest] = given.operands
  const [, name] = /(?:^|\/)(?:bin|node_modules)\/(?:\.bin\/)?([\w-]+)/.exec(file?.text ?? "") ?? []
  return name === undefined ? works(given) : given.as([plainWord(name), ...rest])
}
/** An interpreter. Words after the script's name are the script's own arguments. */
const interpreter = (options: string, not?: RegExp): Program => ({
  options,
  first: true,
  does: (given) => (isPlainly({ ...given, operands: given.operands.slice(0, 1) }, not) ? byFile(given) : null)
})
/** Go's options have one dash. */
const single = (options: string): Program => ({ ...tool(""), loose: false, options, single: true })

const remoteAddress = String.raw`=(?!localhost(?:\b|$)|127\.|\[?::1|unix:)`
const bindsRemotely = new RegExp(`^--(?:b|h|H|S|bind|binding)${remoteAddress}`)
/** A task runner, such as rake. Its operands are tasks and harmless variables. Production environments are refused. */
const tasks = (options: string): Program => {
  const own = "(?:test|ci|local|dev(?:elopment)?)$"
  const variable = new RegExp(
    `^(?:(?:RAILS|RACK)_ENV=${own}|(?:STEPS?|VERSION|VERBOSE|TEST|TESTOPTS|SPEC|SEED|SCOPE|NAME)=)|^(?!\\w+=)`
  )
  const one = named(options, variable, new RegExp(`${bindsRemotely.source}|^--(?:e|environment)=(?!${own})`))
  return {
    ...one,
    // Loading a schema replaces the database's contents.
    does: (given) => {
      const has = (form: RegExp): boolean => given.operands.some(({ text }) => form.test(text))
      return has(/^db:(?:\w+:load|setup)/) && !has(/^RAILS_ENV=test$/) ? null : one.does!(given)
    }
  }
}

/**
 * A script of the project. It may pass its arguments to any tool, for which these options carry only a name, a number
 * or a port. Scripts that deploy, publish or empty a database are refused.
 */
export const script = tool(
  "-uvwqxhibsl -tgkjnp: noEmit spec smoke-test browsers",
  /^--p=(?!\d+$)|(?:^|=|[a-z][:-])(?:deploy|release|publish)(?![\w./])|\bdb[:-](?:drop|reset|wipe)/
)

const format = /^--(?:output-format|f)=.*\./
const next = "-p? -mcldfH: emptyOutDir cors ssr manifest assets* hostname:"
const lints =
  "-hvDAWfco: global eslintrc prune-suppressions suppress-all flag deny allow rules tsconfig import-plugin react-plugin nextjs-plugin jest-plugin vitest-plugin since"
const checks =
  "-hvqwsxECSei -fjlLtdWpm: -c? -n? per-* unfixable add-noqa required-version ipynb atomic settings-path tee benchmark good-names score persistent lib verifytypes code pythonversion pythonplatform disallow-* follow-* no_* explicit-package-bases python-version platform html-report sqlite-cache allow-redefinition scripts-are-modules"
const migrates =
  "-cnxmlio: -v? -1 autogenerate head splice branch-label rev-id depends-on indicate-current rev-range sql empty database fake* plan noinput natural-foreign"
const servesApp =
  "-Apewktcnbmh: app cert access-log* proxy-headers lifespan backlog bind: uds server.* theme.base browser.gatherUsageStats preload"
const trees = "circular dot image: ignores: since since-master"
const analyzes = "-nqcFfid -jdsmpo: cores models vars: logdir:"

const node = interpreter(
  "-ivhc -eprC: eval: print: require: import: loader: test test-only test-force-exit test-update-snapshots test-*: experimental-*? watch* clear-screen? max-*: max_*: stack-*: enable-source-maps env-*: conditions: input-type: trace-warnings trace-deprecation trace-uncaught trace-gc expose-gc unhandled-rejections: throw-deprecation pending-deprecation preserve-symlinks cpu-prof cpu-prof-dir: heap-prof inspect inspect-brk check strip-types run: tsconfig: help"
)
/** `tsx watch x` counts as `node x`. */
const tsx: Program = {
  ...node,
  does: (given) => {
    const [verb, ...rest] = given.operands
    return verb?.text === "watch" ? given.as([plainWord("node"), ...rest]) : node.does!(given)
  }
}

/** Modules by names that projects give their own, and standard ones that only build or inspect. */
const ownModule =
  /^(?:(?:app|src|main|tests?|scripts?|tools?|cli|server|api|backend)(?:\.\w+)*|build|venv|virtualenv|compileall|py_compile|site|platform)$/
/** `python -m x` counts as the command `x`. */
const python = (options: string): Program => ({
  options,
  first: true,
  forms: { X: /^[a-z_]+$/ },
  does: (given) => {
    const [module] = given.valuesOf("m")
    if (module === undefined) return byFile(given)
    if (/^--?h/.test(given.operands[0]?.text ?? "")) return []
    const name = module.text.replace(/\.__main__$/, "")
    return isSure(module) ? given.as([plainWord(name), ...given.operands], ownModule.test(name)) : null
  }
})
const runnerOfPython = python(
  "-aqLps: -m:end -o: branch append parallel-mode source: include: omit: rcfile: context: data-file:"
)

export const projectTools: Readonly<Record<string, Program>> = {
  ...tools(
    [
      "pytest py.test",
      "-qvxslh -kmnrWpco: sw stepwise* pdb override-ini: import-mode deselect confcutdir setup-* snapshot-* benchmark-* asyncio-mode ds create-db reuse-db browser: html self-contained-html testmon pyargs",
      /^--p=(?!no:)|^--(?:o|override-ini)=(?!(?:log_cli\w*|junit_family|xfail_strict|python_\w+|console_output_style)=[\w.* ]*$)/
    ],
    ["unittest", "-vqbfc -skpt: start-directory"],
    [
      "jest",
      "-uibofh -tcw: collectCoverage* findRelatedTests detectOpenHandles testMatch testRegex testEnvironment: noStackTrace injectGlobals",
      /^--testEnvironment=.*\//
    ],
    [
      "vitest",
      "-uwh -trc: coverage.provider: browser browser.name: browser.headless hideSkippedTests dom teardownTimeout allowOnly sequence.s* related",
      /^init$|^--coverage\.provider=(?!v8|istanbul)/
    ],
    ["vite", next, bindsRemotely],
    ["eslint oxlint oxfmt", lints, /^--f=.*[/.]/],
    [
      "prettier",
      "-cwluhv parser: semi prose-wrap end-of-line bracket-* jsx-* arrow-parens find-config-path support-info plugin: object-wrap",
      /^--plugin=(?!(?:@[\w-]+\/)?prettier-plugin-[\w-]+$)|^--parser=.*\//
    ],
    ["black isort flake8 pylint pyright mypy", checks, format],
    ["uvicorn gunicorn", servesApp, bindsRemotely],
    [
      "sphinx-build",
      "-aEnqvQTWP -bDdcAtjw: builder: doctree-dir conf-dir define: nitpicky fresh-env",
      /^--(?:D|define)=(?!(?:language|version|release|html_theme|nitpicky)=[\w.-]*$)|^--b(?:uilder)?=linkcheck/
    ],
    ["papermill", "-prkby: cwd"],
    ["brakeman", "-qAz -iwxtfop: confidence-level"],
    ["rubocop standardrb", "-aAlxLVdDSEPF -focs: auto-*", /^--f(?:ormat)?=.*\W/],
    [
      "rspec",
      "-cbnw -fetoPI: -p? next-failure example* bisect",
      /^--f(?:ormat)?=(?![pdhjf]$|(?:progress|doc(?:umentation)?|html|json|failures)$)/
    ],
    ["ansible-lint yamllint", "-qvpLTs -fxwtcd: nocolor sarif-file"],
    ["hadolint", "-ctf: trusted-registry require-label"],
    ["markdownlint", "-fqdsjh -cpio:"],
    ["rustfmt", "-lvq edition emit backup"],
    ["shellcheck", "-xaV -sefSoiPW: -C? shell wiki-link-count norc"],
    ["ctest", "-VNFQUhvq -CRELIjO: stop-on-failure label-* tests-regex build-config schedule-random preset test-dir"],
    ["phpunit pest pint", "testdox stop-*"],
    ["mocha", "-bgstnpRu: spec delay", /^--(?:R|reporter|ui?)=.*\W/],
    ["lint-staged depcheck madge size-limit", trees],
    ["bandit", "-rqlvi -fxocBst: severity-level confidence-level"],
    ["snakemake csvstat swiftformat gcov lcov autoreconf tflint checkov sidekiq", analyzes, /^--extern/]
  ),
  next: verbs("-hv", ["dev build start lint info typegen", next, bindsRemotely]),
  biome: verbs("", ["check lint format ci rage explain search version", lints, /^--f=.*[/.]/]),
  ruff: verbs("-V", ["check format rule config linter clean version", checks, format]),
  alembic: verbs("-c:stay -n: -x: config:stay name:", [
    "upgrade downgrade revision history current heads branches show stamp merge check ensure_version init",
    migrates
  ]),
  "django-admin": verbs("", [
    "check makemigrations migrate showmigrations sqlmigrate startproject startapp test runserver collectstatic dumpdata loaddata version help",
    migrates
  ]),
  flask: {
    options: "-A:stay app:stay debug",
    commands: {
      ...tools(["run routes", servesApp, bindsRemotely]),
      db: verbs("", [
        "upgrade downgrade migrate current history heads branches show stamp revision merge check",
        migrates
      ])
    }
  },
  streamlit: verbs("", ["run version", servesApp, bindsRemotely]),
  mkdocs: verbs("-qv", ["build serve", "-cqvs -ftd: theme site-dir use-directory-urls", /^--d=\.?\/*$/]),
  jupyter: verbs("", [
    "nbconvert",
    "-y: to: execute allow-errors ExecutePreprocessor.timeout ExecutePreprocessor.kernel_name embed-images",
    /^--to=(?!\w+$)/
  ]),
  "pre-commit": verbs("", ["run validate-config validate-manifest", "-avc: to-ref"]),
  nox: handing("-lrRx -csetpPk: reuse-existing-virtualenvs stop-on-first-error noxfile install-only", /(?!)/),
  tox: handing(
    "-qvrplha -efx: notest sitepackages develop result-json",
    /^(?:r|run|p|run-parallel|l|list|c|config|de|depends|auto|all|\d+)$/,
    /^--x/
  ),
  dvc: verbs("-qv", ["status repro diff dag", "-qvfspmPRca -jr: pipeline downstream cloud remote pull allow-missing"]),
  vale: named("glob", /[./*]|^(?:docs?|content|src)$/),
  promtool: {
    commands: {
      check: verbs("", ["config rules metrics web-config", "syntax-only agent"]),
      test: verbs("", ["rules", ""])
    }
  },
  phpstan: verbs("", ["analyse analyze clear-result-cache diagnose", "memory-limit"]),
  "php-cs-fixer": verbs("", ["fix check list-files describe", "testdox stop-*"]),
  ng: verbs("", [
    "build b test t serve s lint e2e extract-i18n version v",
    "-c: browsers build-optimizer prod aot",
    /^--configuration=prod/
  ]),
  changeset: verbs("", ["status", trees]),
  dbt: verbs("-q", [
    "run test build compile parse ls list seed snapshot debug deps clean docs show source",
    analyzes,
    /^prod|^--t(?:arget)?=prod/
  ]),
  sqlfluff: verbs("", ["lint fix format parse render rules dialects version", analyzes]),
  swiftlint: {
    ...verbs("-q strict quiet fix format config:stay", ["lint analyze rules reporters version", analyzes]),
    does: works
  },
  ktlint: named(analyzes, /[./*]/, /^--reporter=.*\W/),
  bazel: verbs("", ["build test query cquery aquery info version help coverage clean", analyzes]),
  // settings on its input could name a filter
  doxygen: named("-sqb", /^\w[\w./-]*$/),
  terragrunt: verbs("", ["plan validate output show version", analyzes]),
  packer: verbs("", ["validate fmt inspect version", analyzes]),
  tensorboard: verbs("logdir:stay port: reload_interval:"),
  mlflow: verbs("", ["ui", analyzes]),
  tsc: { options: "*", does: (given) => (noList(given) === null ? null : works(given)) },
  ...forEachName("node nodejs", node),
  ...forEachName("tsx ts-node", tsx),
  ...forEachName("python pypy", python("-uBqvOIsSEbdixPVh -W: -X: -c:end -m:end")),
  cProfile: runnerOfPython,
  "json.tool": {
    options: "sort-keys json-lines indent: compact",
    does: ({ operands }) => targets("write", operands.slice(1))
  },
  ruby: interpreter("-wWvcnplash -erIC: -y"),
  php: interpreter(
    "-lvminqaf -rdSt:",
    new RegExp(
      `^--S${remoteAddress}|^--d=(?!(?:memory_limit|error_reporting|display_errors|xdebug\\.mode|max_execution_time|zend\\.assertions)=[\\w-]*$)`
    )
  ),
  // Symfony's, which also takes shortened names of commands
  console: {
    options: "-nqv -e: env: no-debug",
    forms: { "e env": /^(?!prod)/ },
    commands: {},
    scripts: [
      /^(?:about|list|help|(?:app|cache|debug|lint|make|translation):[\w:-]+|assets:install|asset-map:compile|importmap:install|router:match|doctrine:(?:database:create|mapping:\w+|migrations:(?:current|diff|generate|latest|list|migrate|status|up-to-date)|query:\w+|schema:(?:create|update|validate))|messenger:(?:consume|stats))$/,
      tool("-nqvf -e:", /^--e(?:nv)?=prod/)
    ]
  },
  ...forEachName("rscript r", interpreter("-q -e: default-packages: vanilla no-* verbose", /^CMD$/)),
  julia: interpreter("-eEptL: -Oqiv project? threads: color: check-bounds: optimize? code-coverage? depwarn: banner:"),
  coverage: {
    options: "-h rcfile:",
    commands: {
      run: runnerOfPython,
      ...tools(["report html xml json lcov combine erase debug annotate", "-imqa -od: omit append rcfile"])
    }
  },
  ...forEachName("goimports gofmt", single("-l -w -d -e -s -v -r: -local: -srcdir: -format-only")),
  staticcheck: single("-f: -checks: -tests -go: -tags: -fail: -explain: -show-ignored -list-checks"),
  "golangci-lint": verbs("-vh color:", [
    "run fmt linters formatters version help cache completion",
    "-v -cEDnpj: out-format: build-tags modules-download-mode whole-files",
    /^--out-format=[^:]*:/
  ]),
  // unpacking fills its directory with whatever is in there
  jar: {
    options: "*",
    does: (given) =>
      /^-?t/.test(given.operands[0]?.text ?? "") && allLike(given.operands, /^-?t[vf]*$|^[^@-]/) ? works(given) : null
  },
  rake: tasks("-TAPnqsvtmWD? -jf: tasks prereqs rules"),
  rails: tasks(
    "-TDfhqsuvwd -ebpPncg: binding: unused defer-output pretend sandbox tasks parent orm helper assets migration controller"
  ),
  playwright: verbs("-V", [
    "test install show-report show-trace codegen uninstall merge-reports clear-cache",
    "-x -gjcu: forbid-only browser tsconfig ui-port"
  ]),
  prisma: {
    options: "-vh",
    commands: {
      ...tools(["generate validate format studio version init", "-pb: schema generator browser sql"]),
      ...forEachName(
        "migrate db",
        verbs("", [
          "dev status diff reset deploy resolve push pull seed",
          "-hnpb: schema create-only to-* from-* generator accept-data-loss script applied rolled-back"
        ])
      )
    }
  }
}

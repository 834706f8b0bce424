import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import { rowsOf } from "./knownPrograms/Program.ts"

/** Rules to start from. */
export interface Preset {
  readonly name: string
  /** In one line, for people. */
  readonly says: string
  readonly policy: Policy
}

const commands = (...lines: ReadonlyArray<string>): ReadonlyArray<PolicyRule> =>
  rowsOf(...lines).map((command) => ({ command }))
const paths = (...lines: ReadonlyArray<string>): ReadonlyArray<PolicyRule> => rowsOf(...lines).map((path) => ({ path }))
const because = (reason: string, rules: ReadonlyArray<PolicyRule>): ReadonlyArray<PolicyRule> =>
  rules.map((rule) => ({ ...rule, reason }))

/** Programs that only show and compare. A redirection may still write. */
const looking = commands(
  "ls * · cat * · less * · env · join * · read * · head * · tail * · wc * · nl * · tac * · rev * · file * · stat * · du * · df * · tree * · pwd · shuf *",
  "grep * · egrep * · fgrep * · rg * · ag * · find * · fd * · xargs * · sort * · uniq * · cut * · tr * · paste * · comm *",
  "column * · fold * · diff * · cmp * · jq * · yq * · sed * · awk * · od * · xxd * · hexdump * · strings *",
  "md5sum * · sha1sum * · sha256sum * · base64 * · basename * · dirname * · realpath * · readlink * · which * · type *",
  "command -v * · echo * · printf * · date · date * · seq * · expr * · bc * · true · false · : · test * · [ * · sleep * · cd *",
  "exit * · break · continue · set * · wait · uname * · whoami · id · hostname · uptime · free * · lscpu · lsblk · hostname -f · hostname -I · crontab -l · nproc · ps * · pgrep * · netstat * · pushd * · popd · lsof * · ss *",
  "zcat * · zgrep * · nm * · objdump * · readelf * · size * · arm-none-eabi-nm * · arm-none-eabi-objdump * · arm-none-eabi-size *",
  "nvidia-smi * · xmllint * · journalctl * · systemctl status * · tput * · locale * · getconf * · python --version · python3 --version · node --version · npm --version · node -v · npm -v · printenv *",
  "git status * · git diff * · git log * · git show * · git blame * · git grep * · git ls-files * · git ls-tree *",
  "git rev-parse * · git rev-list * · git describe * · git shortlog * · git reflog · git reflog show * · git cat-file * · git name-rev *",
  "git merge-base * · git count-objects * · git branch · git branch -a · git branch -v · git branch -vv · git branch --show-current",
  "git branch --list * · git branch --contains * · git tag · git tag -l * · git tag --list * · git remote · git remote -v",
  "git remote get-url * · git config user.name · git config user.email · git remote show * · git stash list * · git stash show * · git worktree list * · git config --get * · git config --list * · git check-ignore * · git for-each-ref *",
  // pnpm, yarn and cargo run what the directory configures, whatever the command
  "npm ls * · npm outdated * · npm view * · npm why * · go list * · go version · go env · pip list * · pip check · pip show * · pip freeze * · docker ps *",
  "docker images * · docker image ls * · docker network ls · docker volume ls · docker system df · docker top * · docker logs * · docker inspect * · gh pr view * · gh pr list * · gh pr diff * · gh pr checks *",
  "gh issue view * · gh issue list * · gh run view * · gh run list * · gh repo view *"
)

/**
 * Tests, builds, version control and files of the project. npx fetches what is not installed, so these rules name
 * packages that are meant: `ng`, `changeset` and `biome` are strangers' there.
 */
const developing = commands(
  "npm test * · npm run * · npm ci * · npm uninstall * · npm audit * · npm pack --dry-run · npm init -y · nvm use * · go env * · cargo metadata * · split * · npm exec tsc * · pnpm * · yarn * · bun *",
  "npx turbo run * · npx nx run-many * · npx nx affected * · npx ts-node * · npx storybook * · npx knip * · npx astro * · npx cypress * · npx mocha * · npx --no ng * · npx depcheck * · npx madge * · npx lint-staged * · npx size-limit * · npx --no changeset status * · npx nx run * · npx nx test * · npx nx build * · npx nx lint * · npx stylelint * · npx svelte-check * · actionlint",
  "next * · oxlint * · biome * · npx @biomejs/biome * · npx --no biome * · npx tsc * · npx eslint * · npx prettier * · npx vitest * · npx jest * · npx tsx * · npx playwright * · npx oxlint *",
  "npx prisma * · npx next * · npx vite * · vite * · tsc * · eslint * · prettier * · vitest * · jest * · node * · deno * · tsx *",
  "python * · python3 * · pytest * · pip install * · pip3 install * · uv * · poetry * · ruff * · black * · mypy * · tox *",
  "cargo build * · cargo test * · cargo check * · cargo clippy * · cargo fmt * · cargo run * · cargo add * · cargo bench *",
  "cargo tree * · cargo --version · rustc --version · rustc --explain * · cargo insta * · cargo machete * · cargo deny check * · cargo outdated * · cargo audit * · cargo llvm-cov * · wasm-pack * · cargo doc * · cargo nextest * · rustfmt * · go build * · go test * · go vet * · go run * · go fmt * · go mod * · go work * · go clean * · gofmt *",
  "go get * · go generate * · golangci-lint * · make * · cmake * · ninja * · ctest * · gradle * · ./gradlew * · mvn *",
  "./mvnw * · bundle * · rake * · rspec * · rails * · ruby * · php * · composer * · dotnet * · swift * · javac * · java *",
  "shellcheck * · bash -n * · git add * · git commit * · git switch * · git checkout * · git restore * · git stash * · git fetch *",
  "git pull * · git merge * · git rebase * · git cherry-pick * · git revert * · git mv * · git rm * · git init * · git apply * · git format-patch * · git submodule status * · git lfs ls-files",
  "git branch * · git tag * · git worktree * · git bisect * · git clone * · mkdir * · touch * · cp * · mv * · ln -s * · mktemp *",
  "chmod +x * · rmdir * · rm * · tee * · patch * · tar * · unzip * · gzip * · gunzip * · zip * · docker build *",
  "docker compose up * · docker compose down * · docker compose ps * · docker compose logs * · docker compose build *",
  "docker compose images * · docker compose top * · docker compose start * · docker compose stop * · docker compose restart *",
  "docker compose exec * · kill %* · npm i * · npm install * · go tool cover * · openssl rand *",
  "git reset * · git clean -n * · git clean -nd * · git clean -dn * · git clean -ndx * · git clean -xdn * · git clean -ndX * · git --version · .venv/bin/* · ./scripts/* · bash scripts/* · bash ./scripts/*",
  "sh scripts/* · sh ./scripts/* · ./node_modules/.bin/* · node_modules/.bin/*",
  // builds and tests of other trades; what they publish, install or write to a device is no part of it
  "gcc * · g++ * · cc * · c++ * · clang * · clang++ * · arm-none-eabi-gcc * · arm-none-eabi-g++ * · meson setup * · meson compile * · meson test *",
  "clang-format * · clang-tidy * · cppcheck * · bear * · valgrind * · ./build/* · build/* · ./target/* · target/* · bin/rails * · bin/rake * · bin/rspec * · bin/console *",
  "vendor/bin/* · ./vendor/bin/* · sbt * · javap * · jps * · jstack * · ldd * · jar tf ?*.jar · kotlinc -version · perl *",
  "cargo clean * · cargo update * · cargo expand * · go doc * · goimports * · staticcheck * · mix * · dart * · flutter * · stack * · cabal *",
  "zig * · dune * · Rscript * · R * · julia * · jupyter nbconvert * · papermill * · dvc status * · dvc repro * · mlflow --version · conda env list",
  "west build * · snakemake * · dbt * · sqlfluff * · csvstat * · swiftlint * · swiftformat * · ktlint * · bazel * · doxygen * · gcov * · lcov * · autoreconf * · terragrunt plan * · packer validate * · checkov * · tensorboard * · mlflow ui * · pod install · xcrun simctl list devices · adb devices · adb logcat -d · ccache -s · pg_isready · idf.py build · idf.py size · pio * · arduino-cli compile * · buf lint · sqlc generate · protoc --version · dlv version · protoc * · mockgen * · tflint * · ansible-playbook --syntax-check * · ansible-playbook * --syntax-check · pip-audit · bandit * · irb --version",
  "ansible-lint · ansible-lint * · yamllint * · hadolint * · kustomize build * · gem list * · gem environment * · conda activate * · conda env export * · rbenv version · rbenv versions · rustup show · opam list · xcodebuild -list",
  "source .venv/bin/activate · . .venv/bin/activate · source venv/bin/activate · . venv/bin/activate · kubectl diff * · helm list *",
  "rubocop * · flask * · uvicorn * · gunicorn * · alembic * · coverage * · isort * · flake8 * · pylint * · pyright * · django-admin *",
  "npm start * · markdownlint * · vale * · hugo · hugo --minify · conda list · ip addr · ip addr show · ip a · ip route · gdb --version · elixir --version · nginx -t · act -l · aspell list · promtool check *",
  "sphinx-build * · mkdocs build * · streamlit run * · pre-commit run * · nox * · brakeman * · sidekiq * · puma · jekyll build",
  "psql * · sqlite3 * · redis-cli * · export * · time * · terraform fmt * · terraform validate * · terraform plan *",
  "kubectl get * · kubectl describe * · kubectl logs * · kubectl top * · kubectl config current-context · kubectl config get-contexts · kubectl rollout status * · kubectl explain * · docker stats * · docker compose config *",
  "terraform init * · terraform show * · terraform output * · terraform state list · openssl x509 * · helm lint * · helm template * · helm dependency *"
)

/** Servers on this machine. */
const local: ReadonlyArray<PolicyRule> = ["localhost", "localhost:*", "127.0.0.1", "127.0.0.1:*"].map((host) => ({
  command: "curl *",
  url: `http://${host}/**`
}))

/** Files that other programs follow without asking: whoever writes them can run anything later. */
const obeyed = paths(
  "/**/.git/**",
  "/**/{.claude,.codex,.gemini,.cursor,.copilot,.opencode}/**",
  "/**/{.vscode,.idea,.husky,.github,.circleci,.devcontainer,.cargo,.zed,.windsurf,.kiro}/**",
  "/**/{.config/git,.config/fish,.config/systemd,.config/autostart,.local/bin}/**",
  "/dev/{sd,hd,vd,nvme,disk,mapper}*",
  "/**/{.envrc,.npmrc,.bashrc,.zshrc,.profile,.gitconfig}",
  "/**/.{zshenv,zprofile,zlogin,zlogout,bash_profile,bash_login,bash_logout,bash_aliases,inputrc}",
  "/**/.{mcp.json,yarnrc,yarnrc.yml,pnpmfile.cjs,pnp.cjs,pre-commit-config.yaml,gitlab-ci.yml}",
  "/**/.{lefthook.yml,lefthook.yaml,tool-versions,mise.toml,bazelrc,vimrc,exrc,nvimrc,gdbinit,lldbinit}",
  "/**/{lefthook.yml,lefthook.yaml,mise.toml,bunfig.toml,.aider.conf.yml,.irbrc,.pryrc,.Rprofile,.pdbrc}"
).map((rule): PolicyRule => ({ kind: "edit", ...rule }))

/** Secrets, and leap's own switches. */
const guarded = because("this belongs to the user alone", [
  ...paths(
    "~/.ssh/** · ~/.gnupg/** · ~/.aws/** · ~/.kube/** · ~/.azure/** · ~/.docker/config.json · ~/.config/{gh,gcloud,op}/**",
    "~/{.netrc,.npmrc,.pypirc,.git-credentials,.pgpass}",
    // the CLIs' credentials
    "~/{.claude/.credentials,.codex/auth,.gemini/oauth_creds,.copilot/config}.json",
    "~/.local/share/opencode/{auth,mcp-auth}.json · ~/.config/leap/**"
  ),
  ...commands("leap * · sudo * · doas *")
])

/** Where projects keep their secrets. */
const secret = paths("/**/.env · /**/.env.{local,production,staging}{,.local,.enc,.bak,.old,.orig,~}")

const inside: ReadonlyArray<PolicyRule> = [
  { kind: "edit", path: "./**" },
  { kind: "edit", path: "/tmp/**" }
]

/** Irreversible actions. */
const final = commands(
  "rm -r / · rm -r /\\* · rm -r ~ · rm -r ~/\\* · rm -r .. · rm -r .git · kill -1 · kill -9 -1 · redis-cli flush* · git push --force* · git push --mirror* · git push --delete*",
  "mkfs* · dd *of=/dev/* · shred * · git filter-branch * · git update-ref -d *"
)

/** Actions that may lose work, but can be done with care. */
const lossy = commands(
  "rm -rf . · rm -rf ./ · rm -rf ./\\* · rm -rf \\* · rm -rf ~* · rm -rf ..* · git checkout -f* · git stash clear · git stash drop* · git branch -D* · git clean -f* · git reset --hard*",
  "git checkout . · git checkout * . · git checkout * -- * · git checkout -- * · git checkout -B* · git restore -W* · git restore --worktree*",
  "git switch -f* · git switch --discard-changes* · git switch -C* · git rm -f* · git branch -f* · git branch -M* · git branch -C*",
  "git worktree remove -f* · git worktree remove --force* · git reset --merge* · git reset --keep* · git tag -f* · git tag -d*",
  "python manage.py flush* · python3 manage.py flush* · django-admin flush* · rails db:drop* · rails db:reset* · rake db:drop* · rake db:reset* · php artisan mi*:re* · php artisan mi*:f* · php artisan db:w*",
  // Symfony's console takes shortened names, part by part
  "php bin/console d*:d*:d* · php bin/console d*:s*:d* · php bin/console d*:f*:l*",
  "rails db:purge* · rake db:purge* · rails db:truncate* · rake db:truncate* · rails db:migrate:reset* · rake db:migrate:reset* · rails db:seed:replant* · rake db:seed:replant*",
  "alembic downgrade base* · flask db downgrade base* · python manage.py reset_db* · python manage.py migrate * zero* · django-admin migrate * zero*",
  "npx prisma migrate reset* · pnpm prisma migrate reset* · yarn prisma migrate reset* · npx prisma db push --force-reset* · npx prisma db push --accept-data-loss* · dotnet ef database drop*",
  "docker compose down -v* · docker compose down --volumes* · docker build -o* · docker build --output*"
)

/** Actions that other people notice. */
const outward = commands(
  "npx playwright install --with-deps* · npm run deploy* · npm run release* · rails new* · rails app:template* · rails credentials*",
  "bun x * · uv publish* · poetry publish* · bun publish* · npm run publish* · pnpm run deploy* · pnpm run release* · yarn run deploy* · yarn run release* · bun run deploy* · bun run release* · gradle publish* · ./gradlew publish* · mvn deploy*",
  "gem push* · dotnet nuget push* · npm unpublish* · npm deprecate* · psql -h* · psql --host* · redis-cli -h* · git push*",
  "npm publish* · pnpm publish* · yarn publish* · yarn npm publish* · cargo publish* · twine * · gh pr create*",
  "gh pr merge* · gh release * · gh api * · docker push* · docker run * · ssh * · scp * · rsync * · terraform apply*",
  "terraform destroy* · kubectl apply* · kubectl delete* · helm install* · helm upgrade* · aws * · gcloud * · az *"
)

const worked = [...looking, ...developing, ...local, { kind: "read", path: "./**" } as const, ...inside]
const irrevocable = [...guarded, ...because("it cannot be taken back", final)]

/** The presets, narrowest first. */
export const presets: ReadonlyArray<Preset> = [
  {
    name: "read-only",
    says: "look at everything but secrets, change nothing",
    policy: {
      deny: guarded,
      ask: secret,
      allow: [...looking, { kind: "read", path: "./**" }]
    }
  },
  {
    name: "development",
    says: "read, edit, test and commit in the project; what others notice is asked, what cannot be taken back refused",
    policy: {
      deny: irrevocable,
      ask: [...obeyed, ...outward, ...lossy, ...secret],
      allow: worked
    }
  },
  {
    name: "night-shift",
    says: "the same while nobody watches: what would be asked is refused with a reason, so that work goes on",
    policy: {
      deny: [
        ...irrevocable,
        ...because("nobody is here to agree: leave it for the morning and go on", [
          ...outward,
          ...obeyed,
          ...lossy,
          ...secret
        ])
      ],
      ask: [],
      allow: worked
    }
  }
]

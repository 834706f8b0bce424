/** Command lines as people of other trades run them, one a line: front-end, Python, Rust, Go, data, operations. */
const lines = String.raw`
npm run dev
npm run build && npm run preview
npm run lint -- --fix
npm run test -- --watch=false
npm run test:unit
npm run typecheck
npm ci --prefer-offline
npm install
npm install --save-dev vitest
npm install react@18 react-dom@18
npm uninstall lodash
pip install flask alembic
npm i -D rake
uv add flask
kubectl logs -f deploy/api --tail=50
go build -ldflags "-s -w" -o bin/app ./cmd/app
uv run --python 3.12 pytest -q
cmake --build build -t tests
npm outdated
npm ls react
npm audit
npm run build --workspace=packages/ui
npm -w packages/ui run build
npx tsc --noEmit
npx tsc --noEmit -p tsconfig.build.json
npx eslint src --ext .ts,.tsx
npx eslint --fix "src/**/*.ts"
npx prettier --check .
npx prettier --write "src/**/*.{ts,tsx}"
npx vitest run src/app.test.ts
npx vitest run --coverage
npx jest --runInBand src/x.test.js
npx playwright test --project=chromium
npx prisma generate
npx prisma migrate dev --name init
npx next build
npx vite build --mode staging
pnpm install --frozen-lockfile
pnpm add -D typescript
pnpm build
pnpm test
pnpm run lint
pnpm -r build
pnpm --filter @app/web dev
pnpm --filter ./packages/ui test
pnpm typecheck
yarn
yarn install --immutable
yarn add -D eslint
yarn test
yarn lint --fix
yarn workspace web build
bun install
bun test
bun run build
bun run src/index.ts
node scripts/build.mjs
node --test
node -e "console.log(process.version)"
node -p "require('./package.json').version"
node --check src/index.js
deno test
deno fmt --check
cat src/App.tsx
cat package.json | jq '.dependencies'
jq '.compilerOptions.paths' tsconfig.json
jq -r '.scripts | keys[]' package.json
jq -s 'length' a.json b.json
ls -la dist/assets
ls node_modules/.bin | grep eslint
du -sh dist
rm -rf dist .next
rm -rf node_modules/.cache
rm -f coverage/lcov.info
mkdir -p src/components/Button
touch src/components/Button/index.ts
cp .env.example .env.test
cp src/a.ts src/b.ts
mv src/old.ts src/new.ts
grep -rn "useEffect" src --include=*.tsx
grep -rl "TODO" src | head
rg "createContext" -t ts
rg -l "deprecated" src
rg -n "export default" src/pages | wc -l
rg --files -g '*.css'
find src -name "*.module.css"
find . -name "*.test.ts" -not -path "*/node_modules/*" | wc -l
find src -type f -size +100k
sed -n '1,80p' src/index.ts
sed -i 's/foo/bar/g' src/index.ts
sed -i '' 's/foo/bar/g' src/index.ts
head -20 CHANGELOG.md
tail -n 50 build.log
wc -l src/**/*.ts
diff a.json b.json
curl -s http://localhost:3000/api/health
curl -I http://localhost:5173
curl -s -X POST http://localhost:8080/api -H 'Content-Type: application/json' -d '{"a":1}'
curl -sf http://localhost:3000/health | jq .status
lsof -i :3000
python -m venv .venv
python -m pytest
python -m pytest -x -q tests/test_a.py
python3 -m pytest -k "not slow" --maxfail=1
pytest
pytest -q tests/unit
pytest tests/test_a.py::test_b -vv
pytest --cov=src --cov-report=term-missing
pytest -n auto
PYTHONPATH=src pytest
.venv/bin/pytest -q
.venv/bin/python -m app
source .venv/bin/activate && pytest
. .venv/bin/activate && python -m app
python manage.py test
python manage.py makemigrations
python manage.py migrate
python manage.py check
python -c "import sys; print(sys.version)"
python3 -c 'import app; print(app.__version__)'
python script.py --input data/in.csv
python -m black .
python -m mypy src
python -m http.server --help
pip install -r requirements.txt
pip install -e .
pip install -e ".[dev]"
pip install --upgrade pip
pip list
pip show requests
pip freeze > requirements.txt
pip3 install pytest
uv sync
uv run pytest
uv pip install -r requirements.txt
uv add httpx
poetry install
poetry run pytest -q
poetry add requests
ruff check .
ruff check --fix src
ruff format .
black --check src tests
mypy src
mypy --strict src/app
tox -e py312
isort --version
cat pyproject.toml
cat requirements.txt | sort
grep -n "def test_" -r tests | wc -l
grep -rn "import requests" --include="*.py" .
find . -name "__pycache__" -type d
find . -name "*.pyc" | head
ls src/app/*.py
cargo build
cargo build --release
cargo test
cargo test --workspace
cargo test parser::tests
cargo test -p core -- --nocapture
cargo check --all-targets
cargo clippy --all-targets --all-features -- -D warnings
cargo clippy --fix --allow-dirty
cargo fmt
cargo fmt --all -- --check
cargo run -- --help
cargo run --bin server
cargo run --example demo
cargo add serde --features derive
cargo tree -d
cargo doc --no-deps
cargo bench
cargo nextest run
cargo metadata --format-version 1 --no-deps
RUST_BACKTRACE=1 cargo test
RUST_LOG=debug cargo run
rustc --version
rustfmt src/main.rs
cat Cargo.toml
cat src/main.rs | head -50
grep -n "fn main" -r src
rg -n "unwrap\(\)" src -g '*.rs'
rg "impl .* for" src
ls target/debug | head
go build ./...
go build -o bin/server ./cmd/server
go test ./...
go test -v ./internal/parser
go test -run TestParse ./...
go test -race -count=1 ./...
go test -cover ./...
go test -coverprofile=cover.out ./...
go tool cover -func=cover.out
go test -bench=. -benchmem ./...
go vet ./...
go fmt ./...
gofmt -l .
gofmt -w internal
go mod tidy
go mod download
go mod why github.com/x/y
go get github.com/stretchr/testify@latest
go generate ./...
go list ./...
go list -m all
go list -f '{{.Dir}}' ./...
go run ./cmd/server
go run main.go
go env GOPATH
go version
golangci-lint run
CGO_ENABLED=0 go build ./...
GOOS=linux GOARCH=arm64 go build ./...
cat go.mod
grep -rn "func New" internal
find . -name '*_test.go' | xargs grep -l "t.Parallel"
sqlite3 data.db ".tables"
sqlite3 data.db ".schema users"
sqlite3 data.db "select count(*) from users"
sqlite3 -header -csv data.db "select * from users limit 5"
psql -d app -c "select count(*) from users"
psql -U postgres -d app -c '\dt'
psql postgres://localhost:5432/app -c "select 1"
redis-cli ping
redis-cli get user:1
redis-cli keys 'user:*'
head -5 data/a.csv
wc -l data/*.csv
cut -d, -f1,3 data/a.csv | head
sort -t, -k2 -n data/a.csv | head -20
sort data/a.csv | uniq -c | sort -rn | head
awk -F, '{print $2}' data/a.csv | sort -u
awk -F, 'NR>1 {s+=$3} END {print s/(NR-1)}' data/a.csv
awk 'NF==3' data/a.tsv
tr ',' '\t' < data/a.csv | head -3
paste -d, a.txt b.txt
join --version
comm -12 a.txt b.txt
column -t -s, data/a.csv | head
gzip -dc data/a.csv.gz | head
gunzip -k data/a.csv.gz
tar -tzf data.tgz
tar -czf out.tgz data
unzip -l data.zip
split -l 1000 data/a.csv data/part_
file data/a.bin
xxd data/a.bin | head
sha256sum data/a.csv
jq -c '.[] | {id, name}' data/a.json
jq '[.[] | select(.age > 30)] | length' data/a.json
yq '.services' docker-compose.yml
make
make build
make test
make -j8 all
make lint test
make clean
cmake -B build -S .
cmake --build build --parallel 4
ctest --test-dir build
ninja -C build
docker ps
docker ps -a
docker images
docker logs web --tail 50
docker logs -f web
docker inspect web
docker build -t app .
docker build -t app:dev -f Dockerfile.dev .
docker compose up -d
docker compose up -d --build web
docker compose ps
docker compose logs web
docker compose logs -f --tail=100 web
docker compose down
docker compose build --no-cache
kubectl get pods
kubectl get pods -n web -o wide
kubectl describe pod web-1
kubectl logs deploy/web --tail=100
kubectl logs -f web-1 -c app
helm lint charts/web
helm template charts/web -f values.yaml
terraform fmt -check
terraform validate
terraform plan -out=tf.plan
shellcheck scripts/*.sh
bash -n scripts/deploy.sh
./scripts/build.sh
./gradlew test
mvn -q test
bundle exec rspec
bundle install
dotnet build
dotnet test
ps aux | grep node
ps -ef | head
df -h
free -m
uname -a
date +%s
env
printenv PATH
which node
node --version && npm --version
hostname
sleep 3 && curl -s http://localhost:3000/health
time npm test
timeout 120 npm test
git status
git status -sb
git diff
git diff --stat
git diff --cached
git diff HEAD~1 -- src
git diff main...HEAD --name-only
git log --oneline -10
git log -p -1
git log --author=me --since="2 weeks ago"
git show HEAD
git show HEAD:src/a.ts
git show --stat HEAD~2
git blame src/a.ts
git branch
git branch -a
git branch --show-current
git checkout -b feature/x
git switch main
git switch -c fix/y
git add .
git add -A
git add -p
git commit -m "Fix the parser"
git commit -am "wip"
git commit --amend --no-edit
git fetch
git fetch origin main
git pull
git pull --rebase
git merge main
git rebase main
git rebase --continue
git cherry-pick abc1234
git stash
git stash pop
git stash list
git tag
git rev-parse HEAD
git rev-parse --show-toplevel
git remote -v
git ls-files | head
git grep -n "TODO"
git config --get user.email
git restore --staged src/a.ts
git reset HEAD~1
git worktree list
gh pr view 12
gh pr list --state open
gh pr checks
gh run list --limit 5
gh issue view 3 --comments
cd packages/ui && npm test
cd backend && pytest -q
cd frontend; npm run build
(cd web && npm run lint)
for d in packages/*; do echo "$d"; done
for f in src/*.ts; do wc -l "$f"; done
while read -r l; do echo "$l"; done < names.txt
if [ -f package.json ]; then npm test; fi
test -f .env.example && echo yes
[ -d dist ] && ls dist
X=$(git rev-parse HEAD) && echo "$X"
npm test 2>&1 | tail -30
npm run build > /tmp/build.log 2>&1; tail -20 /tmp/build.log
cargo test 2>&1 | grep -E "FAILED|panicked" | head
pytest -q 2>&1 | tee /tmp/pytest.log | tail
echo "export const x = 1" > src/x.ts
cat > notes.md <<'E'; cat notes.md
printf '%s\n' a b c > list.txt
export NODE_ENV=test && npm test
NODE_ENV=production npm run build
CI=1 npm test
DEBUG=app:* npm run dev
`
export const others: ReadonlyArray<string> = lines
  .split("\n")
  .map((line) => line.replace("<<'E';", "<<'E'\n# x\nE\n").replace(/^(cat > notes.md.*)\n cat/s, "$1\ncat"))
  .filter((line) => line !== "")

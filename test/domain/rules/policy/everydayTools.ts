/** Test runners, linters, formatters and builds as agents call them, one a line, each with the options that it is given all day. */
const lines = String.raw`
pytest
pytest -q
pytest -x -vv tests/
pytest tests/test_api.py::TestUsers::test_create -v
pytest -k "login and not slow"
pytest -n auto
pytest --maxfail=1 --tb=short
pytest --lf
pytest --ff -x
pytest -s -v tests/unit
pytest --cov=src --cov-report=term-missing
pytest --cov=app --cov-report=html
pytest --cov --cov-fail-under=80
pytest -m "not slow" --durations=10
pytest --collect-only -q
pytest -rA tests/test_models.py
pytest --tb=no -q 2>&1 | tail -5
pytest --disable-warnings -p no:cacheprovider
pytest -p no:warnings tests
pytest --junitxml=report.xml
pytest --snapshot-update
pytest -W ignore::DeprecationWarning
pytest --co
pytest --pdb -x
pytest --last-failed --exitfirst
pytest -vvv --log-cli-level=DEBUG tests/test_x.py
pytest --capture=no
pytest --durations 0
pytest --import-mode=importlib
pytest --reruns 2
pytest -x --timeout=60
pytest --benchmark-only
pytest --asyncio-mode=auto
python -m pytest -q tests
python -m pytest --cov=src tests/ | tail -20
python3 -m unittest discover -s tests
python -m mypy src
python manage.py test
python manage.py migrate
python manage.py makemigrations --check --dry-run
python -m black --check .
python -m pip install -e ".[dev]"
python -m build
python -c "import app; print(app.__version__)"
eslint .
eslint src --ext .ts,.tsx
eslint --fix src/
eslint src/index.ts --format json
eslint . --max-warnings 0
eslint --quiet src
eslint . --cache
eslint . --cache --cache-location node_modules/.cache/eslint
eslint src --report-unused-disable-directives
eslint --print-config src/index.ts
eslint src/**/*.ts --no-error-on-unmatched-pattern
eslint -c eslint.config.mjs src
eslint --rule 'no-console: error' src
eslint --no-eslintrc src
eslint . -f unix
eslint --fix-dry-run src/a.ts
eslint --debug src/a.ts
npx eslint . --fix
npx eslint src/components/Button.tsx
npx eslint --ext .ts src
prettier --check .
prettier --write src
prettier --write "src/**/*.{ts,tsx}"
prettier -c src
prettier -l src
prettier -w README.md
prettier --list-different "**/*.md"
prettier --check . --ignore-unknown
prettier --config .prettierrc --write src/a.ts
prettier --log-level warn --write .
prettier --single-quote --write src
prettier --stdin-filepath a.ts < a.ts
prettier --tab-width 4 --check src
prettier --parser typescript < a.ts
npx prettier --check .
npx prettier --write src/a.ts src/b.ts
npx prettier -w .
jest
jest --watch=false
jest src/utils
jest --coverage
jest -t "adds numbers"
jest --testPathPattern=utils
jest --testPathPatterns utils
jest -u
jest --runInBand
jest -i --bail
jest --verbose --silent
jest --ci
jest --no-cache
jest --clearCache
jest --findRelatedTests src/a.ts
jest --onlyChanged
jest --listTests
jest --maxWorkers=2
jest --maxWorkers=50%
jest --detectOpenHandles --forceExit
jest --config jest.config.js
jest --selectProjects unit
jest --updateSnapshot --testNamePattern "renders"
jest --json --outputFile=out.json
jest --passWithNoTests
npx jest --coverage --coverageReporters=text
npx jest src/a.test.ts -t 'x y'
npx jest --watchAll=false
vitest
vitest run
vitest run src/a.test.ts
vitest run -t "parses"
vitest run --coverage
vitest run --reporter=verbose
vitest run --reporter=dot --bail=1
vitest --run
vitest run -u
vitest run --project unit
vitest run --no-file-parallelism
vitest related src/a.ts --run
vitest list
vitest bench --run
vitest typecheck
vitest run --changed
vitest run --pool=forks
vitest run --config vitest.config.ts
vitest run --globals --environment jsdom
vitest run --testTimeout=20000
vitest run --retry 2
vitest run --shard=1/3
vitest run --silent --hideSkippedTests
npx vitest run
npx vitest run --coverage.enabled
npx vitest run src/foo --reporter=basic 2>&1 | tail -40
npx vitest --run -t 'a b'
vite
vite build
vite build --mode staging
vite dev --port 3000
vite --host
vite preview --port 4173
vite build --outDir dist
vite build --watch
vite optimize
npx vite build
npx vite build --sourcemap
tsx src/index.ts
tsx watch src/index.ts
tsx scripts/seed.ts --dry-run
npx tsx src/cli.ts --help
npx tsx -e "console.log(1)"
tsx --test test/*.test.ts
tsx --env-file=.env.test src/a.ts
prisma generate
npx prisma generate
npx prisma migrate dev
npx prisma migrate dev --name add_users
npx prisma migrate status
npx prisma db push
npx prisma format
npx prisma validate
npx prisma db seed
npx prisma studio
npx prisma generate --schema prisma/schema.prisma
npx prisma migrate diff --from-empty --to-schema-datamodel prisma/schema.prisma --script
npx prisma --version
npx playwright test
npx playwright test --project=chromium
npx playwright test tests/login.spec.ts --headed
npx playwright test -g "login"
npx playwright test --ui
npx playwright test --reporter=list
npx playwright test --workers=1 --retries=2
npx playwright test --update-snapshots
npx playwright test --debug
npx playwright install
npx playwright install --with-deps chromium
npx playwright show-report
npx playwright test --list
npx playwright codegen localhost:3000
playwright test --grep-invert slow
rake
rake test
rake db:migrate
rake db:schema:load RAILS_ENV=test
rake -T
rake spec
rake assets:precompile
bundle exec rake test
bundle exec rspec
bundle exec rspec spec/models/user_spec.rb:42
rspec
rspec spec/models
rspec spec/models/user_spec.rb -e "is valid"
rspec --format documentation
rspec -fd --fail-fast
rspec --only-failures
rspec --tag ~slow
rspec --seed 1234
rspec --format progress --profile 10
rspec --order defined
rails test
rails test test/models/user_test.rb:10
rails db:migrate
rails db:rollback STEP=1
rails db:seed
rails routes
rails routes -g users
rails generate model User name:string
rails g migration AddAgeToUsers age:integer
rails console
rails runner "puts User.count"
rails server -p 3001
rails zeitwerk:check
bin/rails test:system
bin/rails db:prepare
bundle exec rails test
bundle exec rubocop -a
golangci-lint run
golangci-lint run ./...
golangci-lint run --fix
golangci-lint run --timeout 5m
golangci-lint run -v --max-same-issues 0
golangci-lint run --new-from-rev=HEAD~1
golangci-lint run --disable-all -E errcheck
golangci-lint linters
golangci-lint run --out-format=json
golangci-lint fmt
golangci-lint run -c .golangci.yml
golangci-lint version
golangci-lint cache clean
ruff check .
ruff check --fix src
ruff check --select E,F,I .
ruff check --diff
ruff check . --output-format=concise
ruff format .
ruff format --check
ruff format --diff src/a.py
ruff check --statistics
ruff check --unsafe-fixes --fix
ruff check --ignore E501 .
ruff check --exit-zero
ruff check --watch
ruff rule E501
ruff check --no-cache
ruff check --config pyproject.toml src
ruff check --line-length 100 --target-version py311 .
ruff --version
mypy .
mypy src --strict
mypy src/app.py --ignore-missing-imports
mypy --install-types --non-interactive src
mypy -p app
mypy --show-error-codes --pretty src
mypy --no-incremental src
mypy --python-version 3.11 src
mypy --no-error-summary src
mypy --config-file pyproject.toml src
mypy --follow-imports=silent a.py
mypy --warn-unused-ignores .
mypy --explicit-package-bases --namespace-packages src
tsc
tsc --noEmit
tsc -p tsconfig.json
tsc -b
tsc --build --force
tsc -w
tsc --noEmit --skipLibCheck
tsc --noEmit --pretty false
tsc --init
tsc --showConfig
tsc -p tsconfig.build.json --outDir dist
tsc --listFiles --noEmit
tsc --noEmit --incremental false
tsc --traceResolution | grep foo
tsc --declaration --emitDeclarationOnly
npx tsc --noEmit -p packages/core
npx tsc -b --clean
npx tsc --version
npx tsc --noEmit 2>&1 | head -50
cargo build
cargo build --release
cargo test
cargo test --lib
cargo test parser::tests -- --nocapture
cargo test --workspace --all-features
cargo test -p core --no-fail-fast
cargo check --all-targets
cargo clippy --all-targets -- -D warnings
cargo clippy --fix --allow-dirty
cargo fmt --all -- --check
cargo fmt
cargo run -- --help
cargo run --bin server --release
cargo run --example demo
cargo bench --no-run
cargo tree -i serde
cargo tree -d
cargo add serde --features derive
cargo update -p serde
cargo doc --no-deps
cargo nextest run
cargo test --doc
cargo build --target wasm32-unknown-unknown
cargo metadata --format-version 1 --no-deps | jq .packages
cargo check --message-format=short 2>&1 | head -30
cargo clean -p core
cargo expand parser
cargo test -- --test-threads=1
cargo build -j4
cargo build --features "a b"
RUST_BACKTRACE=1 cargo test
RUST_LOG=debug cargo run
go build ./...
go build -o bin/app ./cmd/app
go test ./...
go test -v -run TestFoo ./pkg/foo
go test -race -count=1 ./...
go test -cover -coverprofile=cover.out ./...
go test -bench=. -benchmem ./...
go test -short -timeout 30s ./...
go test ./... -update
go vet ./...
go run . --help
go run ./cmd/server
go mod tidy
go mod download
go mod why github.com/x/y
go mod graph | head
go get github.com/stretchr/testify@latest
go fmt ./...
gofmt -l .
gofmt -w main.go
gofmt -s -d .
go generate ./...
go list -m all
go list -f '{{.Dir}}' ./...
go tool cover -func=cover.out
go tool cover -html=cover.out -o cover.html
go test -tags=integration ./...
go build -tags dev -ldflags "-s -w" ./...
go build -ldflags "-X main.version=1.2" .
go test -json ./... | tail -5
go env GOPATH
go doc fmt.Println
go install ./...
go test -failfast -parallel 4 ./...
go clean -testcache
go work sync
CGO_ENABLED=0 go build ./...
GOOS=linux GOARCH=amd64 go build ./...
docker compose ps
docker compose ps -a
docker compose logs
docker compose logs -f api
docker compose logs --tail=100 web
docker compose logs --since 10m db
docker compose up -d
docker compose up -d --build
docker compose down
docker compose exec web ls
docker compose -f docker-compose.dev.yml ps
docker compose config --services
docker compose build web
docker compose restart web
docker compose images
docker compose top
docker compose stop
docker ps -a --format '{{.Names}}'
docker logs --tail 50 web
docker compose exec -T db psql -U postgres -c 'select 1'
docker compose run --rm web npm test
docker images
docker inspect web
`

export const tools: ReadonlyArray<string> = lines.trim().split("\n")

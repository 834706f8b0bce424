/** Test runners, linters, formatters and builds as agents call them, each with the options that it is given all day. */
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
pytest -q --no-header -rN tests/test_a.py · pytest --maxfail 2 -x --sw · pytest -k 'a and not b' -m unit --tb=line
pytest --cov=app --cov-report=xml:coverage.xml --cov-branch · pytest --cov-report term --cov app tests
pytest -W error -p no:randomly · pytest -n 4 --dist loadfile
pytest tests --ignore=tests/slow --deselect tests/a.py::b · pytest -o log_cli=true -s
pytest --junitxml=reports/junit.xml · pytest --fixtures · pytest --reuse-db --ds=app.settings.test
pytest -vv --no-cov · pytest --setup-show -k x · pytest --html=report.html --self-contained-html
python -m pytest tests -q -x --durations=5 · python -m unittest tests.test_a -v
python -m unittest discover -s tests -p 'test_*.py' · python -m json.tool < a.json · python -m http.server --help
python -m app.cli --verbose run · python -u train.py · python -W ignore x.py · python -B -c 'print(1)'
python -m venv .venv · python -m pip list · python -m compileall src · python -m cProfile -s cumtime x.py
python -X importtime -c 'import app' · python -m isort --check . · python -m flake8 src · python -m ruff check .
python -m black src · python -m coverage run -m pytest · python -m coverage report -m · coverage run -m pytest tests
coverage report --show-missing --skip-covered · coverage xml -o coverage.xml · coverage html -d htmlcov
ruff check --fix --select I src · ruff check --show-files · ruff format --check --diff . · black -l 100 src
black --check --diff --quiet src · isort --profile black src · isort -c --diff . · flake8 --max-line-length 100 src
flake8 --select=E9,F63 --show-source --statistics . · pylint -E src · pylint --disable=C0114 --score=n src
pyright --outputjson src · mypy --strict --show-error-codes src · mypy -p app --ignore-missing-imports
tox -e py311 -- -k x · tox -p auto · nox -s lint -- --fix · pre-commit run ruff --files a.py · alembic current
alembic upgrade +1 · alembic downgrade -1 · alembic history --verbose · flask --app app run --debug · flask db upgrade
flask routes · uvicorn app.main:app --host 127.0.0.1 --port 8000 --reload · gunicorn -w 4 -b 127.0.0.1:8000 app:app
streamlit run app.py --server.port 8502 --server.headless true · mkdocs build --strict
sphinx-build -W -b html docs docs/_build/html · jupyter nbconvert --to notebook --execute --inplace nb.ipynb
papermill in.ipynb out.ipynb -p alpha 0.1 · jest --coverage --collectCoverageFrom='src/**/*.ts'
jest --watchAll=false --maxWorkers=4 src/a.test.ts · jest -o · jest --testPathPattern=src/a --testNamePattern='does x'
jest --reporters=default --reporters=jest-junit · jest --env=jsdom · jest --ci --silent --forceExit
vitest run --coverage --coverage.reporter=text · vitest run src/a.test.ts -t 'x > y' --reporter verbose
vitest --watch=false · vitest run --typecheck · vitest run --browser.headless · vitest run --update --no-coverage
vitest run --environment jsdom · vitest run --sequence.shuffle · vite build --mode production --sourcemap
vite --port 5174 --strictPort · vite preview --host localhost · next build --no-lint · next dev -p 3001 --turbopack
next lint --fix · eslint --fix --ext .js,.jsx,.ts,.tsx src · eslint . --format compact
eslint -f json -o eslint.json src · eslint --cache --max-warnings=0 src · eslint --stdin --stdin-filename a.ts < a.ts
oxlint --fix --quiet src · oxlint -D correctness -A no-debugger src · biome check --write src · biome ci .
biome lint --only=style src · prettier --check '**/*.{ts,md}' --ignore-path .gitignore
prettier --write --log-level=warn . · prettier --plugin=prettier-plugin-tailwindcss --write src
tsc --noEmit --project tsconfig.json · tsc -p packages/a --watch · tsx --tsconfig tsconfig.json src/a.ts
tsx watch --clear-screen=false src/a.ts · node --test --test-reporter=spec test/
node --test --test-name-pattern='a b' test/a.js · node --experimental-strip-types a.ts
node --max-old-space-size=4096 node_modules/.bin/tsc · node --inspect-brk a.js · node --env-file=.env.test a.js
node -r ts-node/register a.ts · node --import tsx a.ts · node --enable-source-maps dist/a.js --port 80
node --trace-warnings a.js · node --run test · npx vitest run src --reporter=verbose --no-file-parallelism
npx jest -i src/a.test.ts --verbose · npx playwright test a.spec.ts -g 'x' --project chromium --workers 1
npx playwright test --trace on --reporter=line · npx prisma migrate dev --name x --create-only · npx next build
npx tsx scripts/a.ts --flag · npx eslint --fix src -f stylish · pnpm vitest run src/a.test.ts
pnpm jest src/a.test.ts · pnpm eslint . --fix · pnpm tsc --noEmit · pnpm exec vitest run · pnpm --filter web test
pnpm run test -- --run · yarn jest src/a.test.ts -t 'x' · yarn test --watchAll=false · yarn workspace web test
bun test src/a.test.ts · bun run build · npm run test -- --run src/a.test.ts · npm test -- -t 'x y'
./node_modules/.bin/eslint src · node_modules/.bin/jest --silent · golangci-lint run --timeout=5m ./...
golangci-lint run --enable-all --disable lll · golangci-lint run --config .golangci.yaml --fix
go test ./... -run TestX -v · go test -v ./pkg/... -count=1 · go test ./... -coverprofile=c.out -covermode=atomic
go test -bench=. -run=^$ ./x · go vet -tags integration ./... · gofmt -l -s . · staticcheck -checks all ./...
rake db:migrate RAILS_ENV=test · rake test TEST=test/a_test.rb · rake 'task[a,b]' · rake -T db · rake -P
rspec spec/a_spec.rb:10 --format doc · rspec --tag focus --fail-fast=2 · rspec -f d -c spec/models
rails test test/a_test.rb -n test_x · rails g migration AddX y:string · rails db:migrate:status
rails s -p 3001 -b 127.0.0.1 · rails runner 'puts 1' · rails routes -c users · rubocop -A app
rubocop --only Style/StringLiterals --format simple · rubocop --parallel · ruby -Itest test/a_test.rb -n test_x
ruby -wc a.rb · ruby -rjson -e 'puts 1' · php artisan make:model X -m · php artisan serve --port=8001
php -d memory_limit=-1 vendor/bin/phpunit · php -S localhost:8000 -t public
vendor/bin/phpunit --filter testX tests/A.php · vendor/bin/phpstan analyse --memory-limit=1G src
vendor/bin/pint --test · composer test -- --filter X · composer install --no-interaction --prefer-dist
gradle test --tests 'com.x.YTest' --info · ./gradlew :app:assembleDebug -x lint --stacktrace
./gradlew bootRun --args='--spring.profiles.active=dev' · ./gradlew clean build --no-daemon -Pfoo=bar
mvn -q -DskipTests package · mvn test -Dtest=FooTest#bar -pl core -am · mvn -B -ntp verify
mvn spring-boot:run -Dspring-boot.run.profiles=dev · mvn dependency:tree -Dincludes=a:b
ctest --test-dir build -R foo -V · ctest -j8 --output-on-failure · uv run pytest -q · uv run --extra dev python -m app
uv sync --all-extras --dev · uv pip install -e '.[dev]' · uv add --dev pytest · uv lock --upgrade-package x
poetry install --with dev --no-root · poetry add -G dev pytest@^8 · poetry run pytest -x · poetry show --tree
bundle exec rspec spec/a_spec.rb · bundle install --jobs 4 · bundle update rails --conservative
dotnet test --filter Category=Unit --logger 'console;verbosity=detailed' · dotnet build -c Release --no-restore
dotnet run --project src/App · dotnet ef migrations add Init · swift test --filter A.B · swift build -c release
deno test --allow-read --filter 'a b' · deno run --allow-net main.ts · deno task dev
Rscript -e 'testthat::test_local()' · julia --project=. -e 'using Pkg; Pkg.test()'
shellcheck -x -s bash scripts/*.sh · shellcheck --severity=warning a.sh · hadolint --ignore DL3008 Dockerfile
yamllint -d relaxed . · yamllint -c .yamllint.yml . · ansible-lint -p playbooks
markdownlint '**/*.md' --ignore node_modules · markdownlint -c .markdownlint.json --fix docs
rustfmt --check --edition 2021 src/a.rs · jar tf build/libs/a.jar
npm run dev -- -p 3001 · npm run dev -- --port 3001 · npm test -- --coverage --watchAll=false · npm test -- src/a.test.ts
npm run test -- --runInBand --testPathPattern=foo · npm run build -- --mode staging · npm test -- --grep "should work"
npm run e2e -- --spec cypress/e2e/login.cy.ts · npm run typecheck -- --noEmit · npm run test -- --reporter=dot
npm run storybook -- -p 6006 --ci · npm test -- -t "x y" -u · npm test -- --bail --maxWorkers=2 · npm run dev -- --turbo
npm run db:migrate -- --name init · npm run generate -- component Button · yarn test --coverage · yarn build --profile
pnpm test --filter web · pnpm run lint -- --fix · npm run tsc -- --project tsconfig.json · npm run format -- --check
./node_modules/.bin/vitest run · node_modules/.bin/eslint src --fix · .venv/bin/pytest -x · .venv/bin/ruff check .
vendor/bin/phpunit tests --filter testLogin · vendor/bin/pint · vendor/bin/phpstan analyse src
cargo test --workspace --no-fail-fast -- --nocapture · cargo clippy --all-targets --all-features -- -D warnings
`

export const tools: ReadonlyArray<string> = lines.trim().split(/\n| · /)

/** Command lines of other trades than the web's, one a line: data, embedded, operations, Java, Rust, Go, Ruby, PHP, C++. */
const lines = String.raw`
head -5 data/raw/train.csv
head -1 data/train.csv | tr ',' '\n' | nl
wc -l data/*.csv
cut -d, -f1,3 data/train.csv | head
cut -d, -f2 data/train.csv | sort | uniq -c | sort -rn | head -20
awk -F, 'NR>1 {sum+=$3} END {print sum/(NR-1)}' data/train.csv
awk -F'\t' '$3 > 10 {print $1, $2}' out/scores.tsv
awk -F, '{print NF}' data/train.csv | sort -u
awk 'NR % 100 == 0' data/log.txt | head
awk -F, 'NR==1 || $4=="DE"' data/users.csv | head -20
sort -t, -k3,3nr data/train.csv | head -3
join -t, <(sort a.csv) <(sort b.csv) | wc -l
diff <(sort a.txt) <(sort b.txt)
comm -12 <(sort -u ids_a.txt) <(sort -u ids_b.txt) | wc -l
paste -d, ids.txt labels.txt > merged.csv
shuf -n 100 data/train.csv > data/sample.csv
split -l 1000 data/big.csv data/part_
column -s, -t data/small.csv | head
jq -c '.cells[] | select(.cell_type=="code")' notebooks/eda.ipynb | wc -l
jq -r '.[] | [.id, .name] | @csv' data/users.json > data/users.csv
python train.py --epochs 3 --lr 1e-3
python -m src.train --config configs/base.yaml
PYTHONPATH=. python scripts/evaluate.py --split val
PYTHONPATH=src pytest tests/ -q
PYTHONPATH=src python -m app.main --help
CUDA_VISIBLE_DEVICES=0 python train.py --batch-size 32
OMP_NUM_THREADS=4 python bench.py
source .venv/bin/activate && pytest
source venv/bin/activate && python -m pytest -x
. .venv/bin/activate && pip install -r requirements.txt
source .venv/bin/activate && PYTHONPATH=src python -c "import app; print(app.__version__)"
python -c "import pandas as pd; print(pd.read_csv('data/train.csv').describe())"
python3 - <<'E'
import pandas as pd
df = pd.read_csv("data/train.csv")
print(df.shape)
E
jupyter nbconvert --to script notebooks/eda.ipynb
jupyter nbconvert --to notebook --execute notebooks/eda.ipynb --output out.ipynb
papermill notebooks/in.ipynb out/out.ipynb
Rscript analysis/plot.R
Rscript -e 'library(dplyr); print(nrow(mtcars))'
julia --project=. test/runtests.jl
dvc status
dvc repro
mlflow --version
sqlite3 data/app.db '.tables'
sqlite3 data/app.db 'select count(*) from users'
sqlite3 -header -csv data/app.db 'select id, name from users limit 5'
sqlite3 data/app.db '.schema users'
duckdb -c "select count(*) from 'data/train.parquet'"
du -sh data/* | sort -h
gunzip -c data/log.gz | head
zcat data/log.gz | grep -c ERROR
gzip -k data/out.csv
tar czf results.tar.gz results/
tar tzf archive.tar.gz | head
tar xzf data/archive.tar.gz -C data/raw
unzip -l data/archive.zip
unzip -q data/archive.zip -d data/raw
md5sum data/*.csv
test -f data/train.csv && echo yes
test -f .env && echo present
[ -f .env ] || echo missing
[ -d build ] || mkdir build
nvidia-smi
conda env list
conda run -n base python -V
N=$(wc -l < data/train.csv); echo "$N rows"
for f in data/*.csv; do echo "$f: $(wc -l < "$f")"; done
for s in 1 2 3; do python train.py --seed $s; done
mkdir -p out/plots && python plot.py --out out/plots
make -C firmware clean all
make -j8 BOARD=nucleo_f401re
make V=1
make menuconfig
make flash-sim
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug
cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
cmake --build build -j
cmake --build build --target all -- -j4
cmake --build build --config Release --parallel 8
cmake --install build --prefix out
ctest --test-dir build --output-on-failure
cd build && ctest -R parser -V
cd build && cmake .. && make -j4
mkdir -p build && cd build && cmake -DCMAKE_BUILD_TYPE=Release .. && make
ninja -C build
ninja -C build test
meson setup build
meson compile -C build
meson test -C build
bear -- make
gcc -Wall -Wextra -o out/prog src/main.c
gcc -c src/a.c -o build/a.o
g++ -std=c++20 -O2 -o build/bench bench.cpp
clang++ -fsanitize=address -g test.cpp -o build/test
./build/test
./build/bench --n 1000
build/tests/unit_tests --gtest_filter='Parser*'
valgrind ./build/test
clang-format -i src/*.cpp
clang-format --dry-run -Werror src/main.cpp
clang-tidy -p build src/main.cpp
cppcheck --enable=all src
arm-none-eabi-gcc --version
arm-none-eabi-size build/firmware.elf
arm-none-eabi-objdump -d build/firmware.elf | head -100
arm-none-eabi-nm --size-sort build/firmware.elf | tail -20
objdump -d build/prog | grep -A20 '<main>:'
nm -C build/libx.a | grep ' T '
readelf -h build/prog
size build/prog
ldd build/prog
strings build/firmware.bin | grep -i version
xxd build/firmware.bin | head
hexdump -C build/firmware.bin | head -4
od -A x -t x1 build/firmware.bin | head
file build/prog
west build -b nrf52840dk_nrf52840 app
idf.py build
pio run
pio test -e native
arduino-cli compile --fqbn arduino:avr:uno sketch
ls /dev/tty* | head
stat -c %s build/firmware.bin
diff -u expected.txt <(./build/prog input.txt)
ls -l /dev/serial/by-id
ps aux | grep nginx
ps -ef | grep [p]ython
ss -tlnp
lsof -i :8080
df -h
free -m
uptime
journalctl -u nginx -n 50 --no-pager
systemctl status nginx --no-pager
dig +short example.com
nproc
cat /etc/os-release
cat /proc/cpuinfo | grep 'model name' | head -1
tail -n 200 logs/app.log | grep -i error
grep -c ' 500 ' logs/access.log
awk '{print $9}' logs/access.log | sort | uniq -c | sort -rn
awk '{print $1}' logs/access.log | sort | uniq -c | sort -rn | head -10
sed -n '/2026-11-27 10:/,/2026-11-27 11:/p' logs/app.log
zgrep -h ERROR logs/app.log.*.gz | tail
find /var/log -name '*.log' -size +100M
kubectl get pods -n staging
kubectl get deploy -o wide
kubectl get pod api-0 -o yaml | head -50
kubectl logs deploy/api --tail=100
kubectl logs -f api-0 -c app --since=10m
kubectl describe pod api-0
kubectl config current-context
kubectl top pods
kubectl get events --sort-by=.lastTimestamp
kubectl diff -f k8s/
kustomize build overlays/staging
helm lint charts/api
helm template charts/api -f values/staging.yaml
helm list -A
terraform fmt -check -recursive
terraform validate
terraform init -backend=false
terraform plan -out=tf.plan
terraform show -json tf.plan | jq '.resource_changes | length'
ansible-lint playbooks/site.yml
ansible-playbook --syntax-check playbooks/site.yml
ansible-inventory -i inventory/staging --list
docker ps -a
docker images | head
docker logs --tail 100 web
docker compose ps
docker compose logs --tail=50 api
docker compose config
docker compose up -d db
docker build -t app:dev .
docker stats --no-stream
shellcheck scripts/*.sh
bash -n deploy.sh
yamllint .
hadolint Dockerfile
promtool check rules rules/*.yml
openssl x509 -in certs/site.pem -noout -dates
for h in a b c; do echo "$h"; done
for d in services/a services/b; do (cd "$d" && npm test); done
for d in a b; do (cd "$d" && go test ./...); done
while read -r host; do echo "$host"; done < hosts.txt
VERSION=$(git describe --tags); echo "$VERSION"
TAG=$(git rev-parse --short HEAD) && echo "image: app:$TAG"
COUNT=$(grep -c ERROR logs/app.log); echo "errors: $COUNT"
X=$(date +%s); sleep 1; echo $(( $(date +%s) - X ))
if [ -f Makefile ]; then make test; fi
mvn -q test
mvn clean package -DskipTests
mvn -pl core -am test
mvn dependency:tree
mvn -Dtest=UserServiceTest test
mvn spotless:apply
mvn -o verify
./mvnw -q -B test
./gradlew test
./gradlew :app:test --tests 'com.acme.UserTest'
./gradlew build -x test
./gradlew dependencies --configuration runtimeClasspath
./gradlew bootRun
gradle wrapper --gradle-version 8.5
gradle tasks
javac -d out src/Main.java
java -cp out Main
java -jar build/libs/app.jar --help
java -version
jar tf build/libs/app.jar | head
javap -c out/Main.class
jps -l
jstack 1234
find src -name '*.java' | xargs grep -l '@Entity'
grep -rn '@Autowired' src/main/java | wc -l
grep -A3 '<dependency>' pom.xml
xmllint --noout pom.xml
xmllint --xpath '//version' pom.xml
sbt test
sbt "testOnly *UserSpec"
kotlinc -version
cat target/surefire-reports/*.txt | grep -E 'Tests run|FAIL'
ls target/*.jar
rm -rf target
JAVA_OPTS=-Xmx2g ./gradlew test
cargo build
cargo build --release --features cli
cargo test -- --nocapture
cargo test --workspace --all-features
cargo test parser::tests::empty -- --exact
cargo clippy --all-targets -- -D warnings
cargo fmt --all -- --check
cargo run -- --help
cargo run --bin server -- --port 8080
cargo run --example basic
cargo bench
cargo doc --no-deps
cargo tree -i serde
cargo add tokio --features full
cargo update -p serde
cargo expand module
cargo nextest run
cargo check --message-format short 2>&1 | head -50
cargo clean
cargo metadata --format-version 1 --no-deps | jq '.packages[].name'
RUST_BACKTRACE=1 cargo test
RUST_LOG=debug cargo run
RUSTFLAGS="-D warnings" cargo check
rustc --version && cargo --version
rustup show
rg -n 'unsafe' src --type rust
rg 'TODO|FIXME' -g '*.rs' --count
target/debug/app --version
./target/release/app < input.txt
go build ./...
go test ./... -count=1
go test -race ./internal/...
go test -run TestParse -v ./pkg/parser
go test -bench=. -benchmem ./pkg/codec
go test -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -1
go vet ./...
go mod tidy
go mod graph | head
go list -m all
go list ./... | grep -v vendor
go run ./cmd/server -port 8080
go run main.go
go generate ./...
go get golang.org/x/sync@latest
go doc net/http Client
go env GOPATH
CGO_ENABLED=0 GOOS=linux go build -o bin/app ./cmd/app
gofmt -l .
gofmt -w internal/
goimports -w internal/parser.go
golangci-lint run
staticcheck ./...
dlv version
buf lint
protoc --version
sqlc generate
bundle install
bundle exec rspec
bundle exec rspec spec/models/user_spec.rb:42
bundle exec rubocop -a
bundle exec rubocop
bundle exec rails db:migrate
bundle exec rake test
bin/rails test
bin/rails routes | grep users
bin/rails db:migrate RAILS_ENV=test
RAILS_ENV=test bin/rails db:prepare
bin/rake -T
rails g model User name:string
ruby -c app/models/user.rb
ruby -Ilib -Itest test/user_test.rb
ruby -e 'puts RUBY_VERSION'
rbenv version
gem list | grep rails
irb --version
composer install
composer test
composer dump-autoload
composer show laravel/framework
composer require --dev phpunit/phpunit
vendor/bin/phpunit
vendor/bin/phpunit --filter UserTest
./vendor/bin/phpstan analyse src
vendor/bin/php-cs-fixer fix --dry-run
php -l src/User.php
php artisan test
php artisan migrate
php artisan route:list
php artisan tinker --execute='echo User::count();'
php -r 'echo PHP_VERSION;'
php bin/console cache:clear
dotnet build
dotnet test --filter Category=Unit
dotnet run --project src/Api
mix test
mix deps.get
mix format --check-formatted
flutter test
dart analyze
swift build
swift test --filter ParserTests
xcodebuild -list
stack test
cabal build
zig build test
opam list
dune build
git log --oneline -10 -- src/parser.rs
git log -S'parse_expr' --oneline
git blame -L 10,20 src/main.rs
git diff --stat main...HEAD
git show HEAD:src/main.rs | head -50
git stash && cargo test && git stash pop
git checkout -b fix/overflow
git commit -am "Fix overflow"
git add -p src/main.rs
git bisect start HEAD v1.0
git grep -n 'fn main'
git ls-files | xargs wc -l | tail -1
BASE=$(git merge-base main HEAD); git diff "$BASE" --stat
for f in $(git diff --name-only main); do echo "$f"; done
time ./build/bench
timeout 60 cargo test
(cd crates/core && cargo test)
cd services/api && ./gradlew test
pushd frontend && npm test && popd
touch src/new.rs
cp config/app.example.toml config/app.toml
mv src/old.rs src/new.rs
ln -sf ../shared/config.toml config.toml
rm -f out/*.log
rm -rf build dist
chmod +x scripts/run.sh
cat > src/hello.c <<'E'
#include <stdio.h>
int main(void) { puts("hi"); return 0; }
E
echo 'export FOO=1' >> scripts/env.sh
sed -i 's/1\.2\.0/1.3.0/' Cargo.toml
sed -i.bak 's/foo/bar/' src/main.rs
sed -n '10,20p;30,40p' src/main.rs
perl -pe 's/foo/bar/' a.txt
perl -ne 'print if /error/i' logs/app.log
printf '%s\n' "$PWD"
seq 1 10 | xargs -I{} echo item {}
xargs -a files.txt wc -l
tr -d '\r' < in.txt > out.txt
tac logs/app.log | head
nl -ba src/main.c | sed -n '10,30p'
npx eslint . --ext .ts,.tsx --fix
npx prettier --check "src/**/*.{ts,tsx}"
npx vitest run src/utils
npx jest --testPathPattern=auth
npx playwright test --headed
npx playwright show-report
npx prisma studio
npx prisma migrate dev --name add_users
npx next lint
pnpm --filter web dev
pnpm --filter @acme/ui test
pnpm test -- --run
pnpm exec tsc --noEmit
pnpm lint --fix
yarn test --watchAll=false
node --test test/
node -e "console.log(require('./package.json').version)"
cat package.json | jq '.scripts'
jq '.version' package.json
git log --oneline -20
git log -p -3 -- src/app.ts
git show HEAD --stat
git add -A && git commit -m "Fix header"
git checkout -b feature/login
git switch -c fix/typo
git stash push -m wip
git fetch origin && git rebase origin/main
git blame -L 10,20 src/app.ts
git branch -a --sort=-committerdate
git log --graph --oneline --all
git merge --no-ff feature/login
git tag v1.2.3
git restore --staged src/app.ts
grep -rn "TODO" src --include=*.ts
grep -rnE "useState|useEffect" src/components
rg -n "createServer" -g '!dist'
rg --files | head -50
rg -l "import React" src | wc -l
find . -name "*.test.ts" -not -path "./node_modules/*"
find src -type f -newer package.json
ls -lh build | sort -k5 -h
head -50 README.md
tail -n 100 logs/app.log
sed -n '100,150p' src/server.ts
sed -i 's/foo/bar/g' src/config.ts
awk '{print $1}' access.log | sort | uniq -c | sort -rn | head
cut -d, -f2 data.csv | sort | uniq
curl -s localhost:8080/api/users | jq .
curl -X POST http://localhost:3000/api/login -H 'Content-Type: application/json' -d '{"a":1}'
curl -sI http://127.0.0.1:5173
mkdir -p src/components/ui
cp .env.example config.example
rm -rf node_modules/.cache coverage
rm src/unused.ts
touch src/index.css
docker compose logs -f web
docker compose exec web ls
docker build -t acme/web .
CI=1 npm run test:ci
DEBUG=app:* node server.js
PORT=4000 npm start
cd packages/api && npm test
cd web && pnpm build && cd ..
for f in src/*.ts; do echo "$f"; done
test -f dist/index.js && echo ok
[ -d node_modules ] || npm ci
npm test > /tmp/test.log 2>&1; tail -5 /tmp/test.log
echo "VITE_API=x" > .env.test
diff -u a.json b.json
python train.py --epochs 10 --lr 0.001
source .venv/bin/activate && pip install -r requirements.txt
pip install pandas==2.1.0
pip list | grep torch
python -c "import torch; print(torch.cuda.is_available())"
python -m pytest tests/test_model.py -k "forward" -v
pytest -x --lf
pytest --cov=src --cov-report=html
pytest tests/ -n 4 --durations=10
jupyter nbconvert --to script analysis.ipynb
jupyter nbconvert --execute --to notebook nb.ipynb
head -5 data/train.csv
nvidia-smi --query-gpu=memory.used --format=csv
du -sh data/ models/
ruff check . --fix
ruff format src tests
mypy src/ --strict
mypy --ignore-missing-imports app.py
uv run pytest -q
uv run python scripts/etl.py
uv run scripts/etl.py --limit 10
uv add polars
uv sync --all-extras
uv pip install -e ".[dev]"
uv lock --upgrade
uv run ruff check
uv run mypy src
poetry install --with dev
poetry run python manage.py migrate
poetry run black .
poetry add --group dev pytest-cov
poetry show --tree
poetry lock --no-update
python manage.py test app.tests
python manage.py runserver
flask run --port 5001
uvicorn app.main:app --reload
alembic upgrade head
alembic revision --autogenerate -m "add col"
streamlit run app.py
tox -e py312 -- -k slow
nox -s tests
pre-commit run --all-files
sqlite3 db.sqlite3 ".tables"
sqlite3 db.sqlite3 "SELECT count(*) FROM users"
psql -d app_dev -c "select 1"
psql postgresql://localhost/app -c '\dt'
redis-cli get session:1
Rscript analysis.R
conda list
journalctl -u app --since "1 hour ago"
du -sh /var/log
ps aux --sort=-%mem | head
tail -f /var/log/syslog
ip addr
env | sort
which python3
dig example.com
ping -c 3 localhost
nginx -t
kubectl get pods -n dev
kubectl logs -f deploy/web --tail=100
kubectl get svc -o wide
helm lint charts/app
helm template app charts/app -f values.yaml
yamllint .github
openssl x509 -in cert.pem -noout -dates
tar czf backup.tgz src
tar tzf backup.tgz | head
tar xzf release.tgz -C build
unzip -l dist.zip
zip -r out.zip dist
gzip -k data.csv
make test V=1
make clean all
make flash BOARD=nucleo
cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug
cmake --build build --target test
cmake --build build -- -j8
cmake -S . -B build -DBUILD_TESTING=ON
ctest -j4 -R unit
ninja -C build clean
gcc -Wall -Wextra -O2 -o app main.c
gcc -c -Iinclude src/uart.c -o build/uart.o
arm-none-eabi-size build/fw.elf
arm-none-eabi-objdump -d build/fw.elf | less
arm-none-eabi-gcc -mcpu=cortex-m4 -c main.c
clang-tidy src/main.c -p build
valgrind --leak-check=full ./build/test
xxd firmware.bin | head
hexdump -C fw.bin | head -20
nm -C build/app | grep main
readelf -h build/app
objdump -t build/app
size build/app
strings build/app | grep version
gdb --version
cargo clippy -- -W clippy::pedantic
cargo update -p tokio
go test ./... -run TestFoo -v
go test -race -count=1 ./internal/...
go run main.go -port 8080
golangci-lint run ./...
CGO_ENABLED=0 go build -o bin/app ./cmd/app
./gradlew test --tests "com.acme.*"
./gradlew assembleDebug
./gradlew :app:lintDebug
./gradlew clean build -x test --info
./gradlew bootRun --args='--spring.profiles.active=dev'
gradle build --scan
mvn clean install -DskipTests
mvn test -Dtest=UserTest#login
mvn -pl core -am verify
mvn spring-boot:run
mvn -q compile
mvn versions:display-dependency-updates
java -jar target/app.jar
java -Xmx512m -cp target/classes com.acme.Main
java -Dspring.profiles.active=dev -jar app.jar
sbt "testOnly com.acme.FooSpec"
flutter analyze
dart format lib
swift test --filter FooTests
bundle exec rubocop -A
bundle exec rails test
bundle exec rake db:migrate
composer require monolog/monolog
php artisan test --filter=UserTest
vendor/bin/phpunit tests/Unit
dotnet build -c Release
dotnet test --no-build
dotnet ef migrations add Init
dotnet add package Serilog
dotnet format
elixir --version
stack build
cabal test
mkdocs build
sphinx-build -b html docs docs/_build
pandoc README.md -o README.html
vale docs/
markdownlint docs/
hugo --minify
wc -w docs/*.md
aspell list < README.md
gh run view 123 --log-failed
gh issue list --label bug
act -l
deno task build
deno run -A scripts/x.ts
deno lint
X=$(git rev-parse HEAD); echo $X
git diff --name-only | xargs npx eslint
ls src | while read f; do wc -l "src/$f"; done
seq 1 5 | xargs -I{} echo {}
echo $PATH
printenv HOME
`

/** What follows a heredoc's beginning belongs to it. */
export const trades: ReadonlyArray<string> = lines
  .trim()
  .split("\n")
  .reduce<ReadonlyArray<string>>((all, line) => {
    const last = all.at(-1) ?? ""
    return last.includes("<<'E'") && !last.endsWith("\nE") ? [...all.slice(0, -1), `${last}\n${line}`] : [...all, line]
  }, [])

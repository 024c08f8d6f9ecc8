#!/usr/bin/env bash
# Builds the binary for every platform into dist/, packed with its licence and
# README, and their checksums. The argument is the version.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
rm -rf dist
mkdir dist
for platform in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
    os=${platform%/*} arch=${platform#*/}
    name=waygate_${version}_${os}_${arch}
    suffix=
    [[ $os == windows ]] && suffix=.exe
    echo "$name"
    mkdir "dist/$name"
    GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/waygate/waygate/cmd/waygate/version.Number=$version" -o "dist/$name/waygate$suffix" ./cmd/waygate
    cp LICENSE README.md "dist/$name/"
    tar -C dist --owner 0 --group 0 --sort name -czf "dist/$name.tar.gz" "$name"
    rm -r "dist/${name:?}"
done
(cd dist && sha256sum waygate_* | tee SHA256SUMS)

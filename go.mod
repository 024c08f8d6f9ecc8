module github.com/waygate/waygate

go 1.26

require (
	github.com/klauspost/compress v1.20.3
	google.golang.org/protobuf v1.36.12
	pgregory.net/rapid v1.3.0
)

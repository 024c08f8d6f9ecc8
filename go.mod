module github.com/waygate/waygate

go 1.26

require (
	github.com/klauspost/compress v1.20.3
	github.com/paulmach/osm v0.9.0
	google.golang.org/protobuf v1.36.12
	pgregory.net/rapid v1.3.0
)

require (
	github.com/DataDog/czlib v0.0.0-20240814115052-86a9592b3985 // indirect
	github.com/paulmach/orb v0.12.0 // indirect
	github.com/paulmach/protoscan v0.2.1 // indirect
	go.mongodb.org/mongo-driver v1.17.4 // indirect
)

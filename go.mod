module github.com/waygate/waygate

go 1.26

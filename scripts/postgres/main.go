// The program postgres starts a PostgreSQL server that all test binaries of a run share by
// $WAYGATE_POSTGRES. It prints the server's address, an empty line where PostgreSQL is not
// installed, and stops the server once its standard input ends.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/waygate/waygate/store/storetest"
)

func main() {
	err := storetest.Serve(func(address string) {
		fmt.Println(address)
		_, _ = io.Copy(io.Discard, os.Stdin)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "postgres:", err)
		os.Exit(1)
	}
}

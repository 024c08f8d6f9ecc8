package meter

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/waygate/waygate/store"
)

// rowCounts are the numbers of rows in one statement: few different ones, since the
// database keeps each statement prepared.
var rowCounts = [...]int{64, 8, 1}

// upsert writes rows with as few statements as possible. Each is head, the placeholders
// of its rows, and tail; one returns a row's placeholders from the number of its first.
type upsert struct {
	head, tail string
	one        func(first int) string
}

// each runs the statements. read, where it is not nil, scans what they return.
func (u upsert) each(ctx context.Context, tx *store.Tx, rows [][]any, read func(*sql.Rows) error) error {
	for len(rows) > 0 {
		n := 1
		for _, length := range rowCounts {
			if length <= len(rows) {
				n = length
				break
			}
		}
		if err := u.write(ctx, tx, rows[:n], read); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (u upsert) write(ctx context.Context, tx *store.Tx, rows [][]any, read func(*sql.Rows) error) error {
	var statement strings.Builder
	var args []any
	statement.WriteString(u.head)
	for i, row := range rows {
		if i > 0 {
			statement.WriteString(", ")
		}
		statement.WriteString(u.one(len(args) + 1))
		args = append(args, row...)
	}
	statement.WriteString(u.tail)
	if read == nil {
		_, err := tx.Exec(ctx, statement.String(), args...)
		return err
	}
	found, err := tx.Query(ctx, statement.String(), args...)
	if err != nil {
		return err
	}
	return scan(found, read)
}

// scan reads all rows and closes them.
func scan(rows *sql.Rows, read func(*sql.Rows) error) error {
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// placeholders returns those of a row of n columns: ($7, $8, $9).
func placeholders(n int) func(first int) string {
	return func(first int) string {
		var row strings.Builder
		for i := range n {
			row.WriteString(", $")
			row.WriteString(strconv.Itoa(first + i))
		}
		return "(" + row.String()[2:] + ")"
	}
}

package schema_test

import (
	"os"
	"sync"
	"testing"

	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// Replicas that start at once find the tables in order.
func TestApplyAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		var replicas sync.WaitGroup
		for range 4 {
			replicas.Go(func() { storetest.Open(t, address, schema.Apply) })
		}
		replicas.Wait()
		db := storetest.Open(t, address, schema.Apply)
		err := db.Tx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO identities (id, email, created_at, tos_accepted_at) VALUES ($1, $2, $3, $4)", "i", "a@example.org", 1, 2)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var email string
		var quota *int64
		if err := db.QueryRow(t.Context(), "SELECT email, monthly_quota FROM identities WHERE id = $1", "i").Scan(&email, &quota); err != nil || email != "a@example.org" || quota != nil {
			t.Errorf("%q %v %v", email, quota, err)
		}
		if _, err := db.Exec(t.Context(), "INSERT INTO balances (identity_id, millipence, held) VALUES ('i', 5, 6)"); err == nil {
			t.Error("more is held than there is")
		}
	})
}

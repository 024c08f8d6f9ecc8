package account

import (
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

func TestAddressSigner(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		ann, bob := d.issue("ann@example.org").Key.ID, d.issue("bob@example.org").Key.ID
		signer := func(key string, withdraw bool) *signed.Signer {
			t.Helper()
			s, err := d.AddressSigner(t.Context(), key, withdraw)
			assert.NilError(t, err)
			return s
		}
		kept := func() (n int) {
			t.Helper()
			assert.NilError(t, d.db.QueryRow(t.Context(), "SELECT COUNT(*) FROM address_secrets WHERE key_id = $1", ann).Scan(&n))
			return n
		}
		first := signer(ann, false)
		assert.DeepEqual(t, signer(ann, false), first)
		assert.Assert(t, *signer(bob, false) != *first)
		// After a month there is another, and the one before it goes on to check addresses.
		d.advance(addressSecretLife - time.Minute)
		assert.DeepEqual(t, signer(ann, false), first)
		d.advance(2 * time.Minute)
		second := signer(ann, false)
		assert.Assert(t, second.ID != first.ID && second.Secret != first.Secret)
		assert.Equal(t, kept(), 2)
		assert.NilError(t, d.Tidy(t.Context()))
		assert.Equal(t, kept(), 2)
		d.advance(2 * signed.Longest)
		assert.NilError(t, d.Tidy(t.Context()))
		assert.Equal(t, kept(), 1)
		// One that withdraws leaves its own alone.
		d.changes = nil
		third := signer(ann, true)
		assert.Assert(t, third.ID != second.ID)
		assert.Equal(t, kept(), 1)
		assert.DeepEqual(t, d.changes, []string{ann})
		assert.DeepEqual(t, signer(ann, false), third)

		_, err := d.Revoke(t.Context(), ann)
		assert.NilError(t, err)
		_, err = d.AddressSigner(t.Context(), ann, false)
		assert.Assert(t, fault.Is(err, fault.Forbidden), "%v", err)
		_, err = d.AddressSigner(t.Context(), "nobody", false)
		assert.Assert(t, fault.Is(err, fault.NotFound), "%v", err)
	})
}

func TestStoredSignersThatAreDamaged(t *testing.T) {
	for _, row := range [][2]string{{"", ""}, {"AAAAAAAAAAAA", ""}, {"AAAAAAAAAAAA", "!"}, {"AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}} {
		_, err := StoredSigner(row[0], row[1])
		assert.ErrorContains(t, err, "damaged")
	}
}

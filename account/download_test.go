package account

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

func TestDownload(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		ctx, who := t.Context(), d.issue("a@example.org").Key.IdentityID
		if _, _, err := d.Set(ctx, "a@example.org", DownloadAllowance, 1, "test"); err != nil {
			t.Fatal(err)
		}
		month, left, ok, err := d.Download(ctx, who, 1<<20-100)
		if err != nil || !ok || left != 100 || month != "2026-11" {
			t.Fatal(month, left, ok, err)
		}
		if _, left, ok, err := d.Download(ctx, who, 101); err != nil || ok || left != 100 {
			t.Fatal(left, ok, err)
		}
		if err := d.Undownload(ctx, who, month, 1); err != nil {
			t.Fatal(err)
		}
		// Of many at once as many get their byte as are left.
		var got atomic.Int64
		var all sync.WaitGroup
		for range 30 {
			all.Go(func() {
				if _, _, ok, err := d.Download(ctx, who, 10); err != nil {
					t.Error(err)
				} else if ok {
					got.Add(1)
				}
			})
		}
		all.Wait()
		if got.Load() != 10 {
			t.Errorf("%d of 30 downloads fit into what is left, want 10", got.Load())
		}
		d.advance(30 * 24 * time.Hour)
		if month, left, ok, err := d.Download(ctx, who, 1<<20); err != nil || !ok || left != 0 || month != "2026-12" {
			t.Error("a new month:", month, left, ok, err)
		}
		if _, _, _, err := d.Download(ctx, "nobody", 1); !fault.Is(err, fault.Forbidden) {
			t.Error("an identity that is not there:", err)
		}
	})
}

package account

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/store"
)

// askedAtOnce is how many keys one statement reads.
const askedAtOnce = 100

// Ended returns those of the ids whose keys are revoked, expired or unknown, so that
// others can delete what they store for them.
func (a *Accounts) Ended(ctx context.Context, ids []string) (ended []string, err error) {
	for some := range slices.Chunk(ids, askedAtOnce) {
		args, holes := []any{a.now().UnixMilli()}, make([]string, len(some))
		for i, id := range some {
			args, holes[i] = append(args, id), "$"+strconv.Itoa(i+2)
		}
		inForce, err := a.options.DB.Texts(ctx, "SELECT id FROM keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) AND id IN ("+strings.Join(holes, ", ")+")", args...)
		if err != nil {
			return nil, store.Unavailable(err)
		}
		for _, id := range some {
			if !slices.Contains(inForce, id) {
				ended = append(ended, id)
			}
		}
	}
	return ended, nil
}

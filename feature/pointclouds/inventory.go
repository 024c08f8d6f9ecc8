package pointclouds

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/parallel"
)

// Inventory lists the point clouds that are hosted, and what they cost their owners.
type Inventory struct {
	Datasets  []Dataset `json:"datasets" nullable:"false" doc:"by name, the first 1,000"`
	Fees      []Fee     `json:"fees" nullable:"false" doc:"by owner; a dataset without an owner has none"`
	Truncated bool      `json:"truncated" doc:"there are more datasets, and more fees"`
}

// Dataset is one hosted dataset.
type Dataset struct {
	Dataset    string   `json:"dataset"`
	Public     bool     `json:"public"`
	Bytes      int64    `json:"bytes" doc:"of all files, as the manifest declares them"`
	Files      int64    `json:"files"`
	IdentityID *string  `json:"identity_id" doc:"of the owner; null where there is none"`
	KeyIDs     []string `json:"key_ids" nullable:"false" doc:"of other keys that may read it"`
	Error      string   `json:"error,omitempty" doc:"what is wrong with the manifest, so that nothing is served, or which files are missing"`
}

// Fee is the fee of an owner for hosting.
type Fee struct {
	Owner        string `json:"owner" doc:"an identity's ID, operator:<key_id> with the first of key_ids, or public"`
	Bytes        int64  `json:"bytes"`
	MonthlyPence int64  `json:"monthly_fee_pence" doc:"GBP 1 for 1,000,000,000 bytes, rounded up to the next penny, and GBP 10 at least"`
}

const (
	mostDatasets = 1000
	atOnce       = 16     // datasets that are looked at together
	pageOfFiles  = 10_000 // names of files that are listed at once
)

// The hosting fee.
const (
	bytesPerPenny = 10_000_000 // GBP 1 for a decimal gigabyte
	leastPence    = 1000
)

func fee(owner string, bytes int64) Fee {
	return Fee{Owner: owner, Bytes: bytes, MonthlyPence: max(leastPence, (bytes+bytesPerPenny-1)/bytesPerPenny)}
}

// Inventory reads all manifests, and looks for the files that they name.
func (s *Service) Inventory(ctx context.Context) (*Inventory, error) {
	out := &Inventory{Datasets: []Dataset{}, Fees: []Fee{}}
	if s == nil {
		return out, nil
	}
	names, err := s.Store.List(ctx, manifests, "", mostDatasets+1)
	if err != nil {
		return nil, unavailable(err)
	}
	if out.Truncated = len(names) > mostDatasets; out.Truncated {
		names = names[:mostDatasets]
	}
	datasets, owners, failures := make([]Dataset, len(names)), make([]string, len(names)), make([]error, len(names))
	var next atomic.Int64
	var group parallel.Group
	for range min(atOnce, len(names)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				datasets[i], owners[i], failures[i] = s.dataset(ctx, names[i])
			}
		})
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, unavailable(err)
	}
	bytes := map[string]int64{}
	for i, d := range datasets {
		out.Datasets = append(out.Datasets, d)
		if owners[i] != "" {
			bytes[owners[i]] += d.Bytes
		}
	}
	for owner, n := range bytes {
		out.Fees = append(out.Fees, fee(owner, n))
	}
	slices.SortFunc(out.Fees, func(a, b Fee) int { return strings.Compare(a.Owner, b.Owner) })
	return out, nil
}

// dataset describes the one of a file of manifests. It fails where the store does.
func (s *Service) dataset(ctx context.Context, file string) (d Dataset, owner string, err error) {
	name, ok := strings.CutSuffix(file, manifestSuffix)
	d = Dataset{Dataset: name, KeyIDs: []string{}}
	if !ok || !datasetName.MatchString(name) {
		d.Dataset, d.Error = file, "the name of the manifest must be 1 to 100 lower-case letters, digits and hyphens, and end in "+manifestSuffix
		return d, "", nil
	}
	m, err := s.manifest(ctx, name)
	var broken *brokenManifest
	switch {
	case errors.As(err, &broken):
		d.Error = broken.Error()
		return d, "", nil
	case errors.Is(err, blob.ErrNotFound): // it was removed since it was listed
		d.Error = "the manifest is not there any more"
		return d, "", nil
	case err != nil:
		return d, "", err
	}
	d.Public, d.Bytes, d.Files, d.IdentityID = m.Public, m.bytes(), int64(len(m.Files)), m.IdentityID
	d.KeyIDs = append(d.KeyIDs, m.KeyIDs...)
	d.Error, err = s.missing(ctx, name, m)
	return d, m.owner(), err
}

// missing describes which files of a manifest are not in the store; "" is none.
func (s *Service) missing(ctx context.Context, dataset string, m *Manifest) (string, error) {
	left := make(map[string]bool, len(m.Files))
	for name := range m.Files {
		left[name] = true
	}
	for after := ""; len(left) > 0; {
		page, err := s.Store.List(ctx, dataset, after, pageOfFiles)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", err
		}
		for _, name := range page {
			delete(left, name)
		}
		if len(page) < pageOfFiles {
			break
		}
		after = page[len(page)-1]
	}
	if len(left) == 0 {
		return "", nil
	}
	first := ""
	for name := range left {
		if first == "" || name < first {
			first = name
		}
	}
	return fmt.Sprintf("%d of its %d files are missing in the store, the first is %s", len(left), len(m.Files), path.Join(dataset, first)), nil
}

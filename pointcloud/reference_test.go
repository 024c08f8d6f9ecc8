package pointcloud_test

import (
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/pointcloud/pointcloudtest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
)

func TestSamplesReadLikeTheReference(t *testing.T) {
	for _, name := range soaktest.First(pointcloudtest.Small, pointcloudtest.Samples) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := realdata.File(t, name)
			f := pointcloudtest.Open(t, path)
			got := pointcloudtest.Records(t, f)
			if int64(len(got)) != f.Header.Points*int64(f.Header.RecordSize) {
				t.Errorf("%d bytes of points; the header claims %d points", len(got), f.Header.Points)
			}
			pointcloudtest.Same(t, f.Header.RecordSize, got, pointcloudtest.Reference(t, "records", path))
			pointcloudtest.Same(t, pointcloudtest.ValuesSize, pointcloudtest.Values(f.Header, got), pointcloudtest.Reference(t, "values", path))
		})
	}
}

package maps

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/feature/pointclouds"
)

// clouds is the endpoint of hosted point clouds.
type clouds struct{ service *pointclouds.Service }

// OfCloud names a file of a dataset.
type OfCloud struct {
	Dataset string `path:"dataset" doc:"name of the dataset"`
	File    string `path:"file" doc:"<cloud>.bin, a COPC 1.0 file, or <cloud>.json, its sidecar. <cloud>.copc.laz is another name of <cloud>.bin, for applications that go by it (beyond the contract)"`
	httpfile.Request
}

var cloudDoc = edge.Doc{
	Summary: "A file of a hosted point cloud", Tags: []string{"maps"}, Fails: []int{http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable},
	Description: "Takes one range of bytes. A unit is charged for each 1,000,000 bytes that the key begins to read of a file: all ranges that add up to the file's length cost what the whole does, in any order. " +
		"HEAD, 304 and failures cost nothing, and what was not sent is not charged, though the header names what the whole answer would cost. Needs a key, in a header or as `api_key` in the query. 404 of a dataset or file that is not there and of one that the key may not read are the same.",
	Headers: map[string]string{"ETag": "changes with the file", "Accept-Ranges": "bytes", "Content-Range": "of a part"},
	Answers: []edge.Answer{
		{Description: "the file"},
		{Media: "application/json"},
		{Status: http.StatusPartialContent, Description: "a part of the file"},
		{Status: http.StatusPartialContent, Media: "application/json"},
		{Status: http.StatusNotModified, Description: "not changed"},
	},
}

func (c clouds) file(w http.ResponseWriter, r *http.Request, in *OfCloud) error {
	call := edge.CallOf(r.Context())
	key := call.Key()
	f, err := c.service.File(r.Context(), pointclouds.Viewer{Key: key.ID, Identity: key.IdentityID}, in.Dataset, in.File)
	if err != nil {
		return err
	}
	return httpfile.Send(w, r, &in.Request, &httpfile.File{
		Size: f.Size, Tag: f.ETag(), Media: f.Media(), Open: f.Open, Broke: f.LogFailure,
		Take: func(ctx context.Context, length int64) (func(int64) error, error) {
			units := f.Count(length)
			if err := call.ChargeAnswer(ctx, units); err != nil {
				f.Refund(length)
				return nil, err
			}
			return func(unsent int64) error {
				if unsent > 0 {
					call.Use(int(units - f.Refund(unsent)))
				}
				return nil
			}, nil
		},
	})
}

package blob

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const bucketScheme = "s3://"

// bucket is a Store in a bucket, under a prefix.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

// What the tools of S3 read, and so do we.
const (
	endpointVariable = "AWS_ENDPOINT_URL"
	regionVariable   = "AWS_REGION"
)

// NewBucket gives the Store in a bucket under a prefix. Whose it is, where and in
// which region is read from the environment as Amazon's tools do: AWS_ENDPOINT_URL
// (http or https; Amazon's by default), AWS_REGION, AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the file of AWS_SHARED_CREDENTIALS_FILE.
// Without a key files are asked for without a signature.
func NewBucket(name, prefix string) (Store, error) {
	host, secure, err := endpoint(os.Getenv(endpointVariable))
	if err != nil {
		return nil, err
	}
	lookup := minio.BucketLookupAuto
	if os.Getenv(endpointVariable) != "" {
		lookup = minio.BucketLookupPath // a name for each bucket is what Amazon has
	}
	client, err := minio.New(host, &minio.Options{
		Creds:  credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}),
		Secure: secure, Region: os.Getenv(regionVariable), BucketLookup: lookup, MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", bucketScheme, name, err)
	}
	return &bucket{client, name, prefix}, nil
}

// Stat asks for a file's size and tag.
func (b *bucket) Stat(ctx context.Context, name string) (Info, error) {
	if err := valid(name); err != nil {
		return Info{}, err
	}
	info, err := b.client.StatObject(ctx, b.name, path.Join(b.prefix, name), minio.StatObjectOptions{})
	if err != nil {
		return Info{}, failure(err, name)
	}
	return Info{info.Size, info.ETag}, nil
}

// Read asks for a part.
func (b *bucket) Read(ctx context.Context, name string, part Span) (io.ReadCloser, error) {
	if err := valid(name); err != nil {
		return nil, err
	}
	var o minio.GetObjectOptions
	if err := o.SetRange(part.Offset, part.Offset+part.Length-1); err != nil {
		return nil, err
	}
	if part.ETag != "" {
		if err := o.SetMatchETag(part.ETag); err != nil {
			return nil, err
		}
	}
	core := minio.Core{Client: b.client}
	body, _, _, err := core.GetObject(ctx, b.name, path.Join(b.prefix, name), o)
	if err != nil {
		return nil, failure(err, name)
	}
	return body, nil
}

// Write sends a file, a large one in parts that become one file at the end.
func (b *bucket) Write(ctx context.Context, name string, content io.Reader, size int64) error {
	if err := valid(name); err != nil {
		return err
	}
	_, err := b.client.PutObject(ctx, b.name, path.Join(b.prefix, name), content, size, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return failure(err, name)
}

// failure makes what a store answers one of the failures of this package.
func failure(err error, name string) error {
	if err == nil {
		return nil
	}
	switch answer := minio.ToErrorResponse(err); {
	case answer.StatusCode == http.StatusPreconditionFailed:
		return fmt.Errorf("%w: %s", ErrChanged, name)
	case answer.Code == "NoSuchKey", answer.StatusCode == http.StatusNotFound && answer.Code != "NoSuchBucket":
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	case answer.Code != "":
		return fmt.Errorf("%s: %s (%s)", name, answer.Code, answer.Message)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// endpoint is the host of a store and whether it is asked over TLS.
func endpoint(address string) (host string, secure bool, err error) {
	if address == "" {
		return "s3.amazonaws.com", true, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Path != "" && u.Path != "/" || u.User != nil {
		return "", false, fmt.Errorf("%s: want the http or https address of a host, without a path", endpointVariable)
	}
	return u.Host, u.Scheme == "https", nil
}

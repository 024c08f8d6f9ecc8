package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const bucketScheme = "s3://"

// bucket is a Store in a bucket, under a prefix.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

// The variables that the tools of S3 read too.
const (
	endpointVariable = "AWS_ENDPOINT_URL"
	regionVariable   = "AWS_REGION"
)

// NewBucket returns the Store in a bucket under a prefix. Whose it is, where and in
// which region is read from the environment as Amazon's tools do: AWS_ENDPOINT_URL
// (http or https; Amazon's by default), AWS_REGION, AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the file of AWS_SHARED_CREDENTIALS_FILE.
// Without a key, requests have no signature.
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

// Stat requests a file's size and tag.
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

// Read requests a part.
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

// Create sends a file on condition that none of its name is there. A store without such a
// condition replaces one that came in between.
func (b *bucket) Create(ctx context.Context, name string, content io.Reader, size int64) error {
	if err := valid(name); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(content, size+1))
	if err != nil {
		return err
	}
	if int64(len(data)) != size {
		return fmt.Errorf("%s has %d bytes or more, %d were announced", name, len(data), size)
	}
	if _, err := b.Stat(ctx, name); !errors.Is(err, ErrNotFound) {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrExists, name)
		}
		return err
	}
	options := minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true}
	options.SetMatchETagExcept("*")
	_, err = b.client.PutObject(ctx, b.name, path.Join(b.prefix, name), bytes.NewReader(data), size, options)
	switch minio.ToErrorResponse(err).StatusCode {
	case http.StatusPreconditionFailed, http.StatusConflict:
		return fmt.Errorf("%w: %s", ErrExists, name)
	case http.StatusNotImplemented:
		return b.Write(ctx, name, bytes.NewReader(data), size)
	}
	return failure(err, name)
}

// List requests the names of one folder.
func (b *bucket) List(ctx context.Context, dir, after string, most int) ([]string, error) {
	if err := valid(dir); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	under := path.Join(b.prefix, dir) + "/"
	options := minio.ListObjectsOptions{Prefix: under, MaxKeys: min(most, 1000)}
	if after != "" {
		options.StartAfter = under + after
	}
	var names []string
	for o := range b.client.ListObjects(ctx, b.name, options) {
		if o.Err != nil {
			return nil, failure(o.Err, dir)
		}
		name := strings.TrimPrefix(o.Key, under)
		if name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		if names = append(names, name); len(names) == most {
			break
		}
	}
	return names, nil
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

// endpoint returns the host of a store and whether it is reached over TLS.
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

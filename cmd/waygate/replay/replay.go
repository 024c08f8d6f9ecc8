// Package replay is the subcommand that verifies a signed answer and computes it again.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/waygate/waygate/api/route"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/world"
)

// Command is the command line.
type Command struct {
	Region string `env:"SVC_REGION_DIR" type:"existingdir" help:"Folder of the region to compute the answer on; without one the signature alone is verified." placeholder:"DIR"`
	Key    string `help:"Public key that must have signed it, in base64, such as answer_key of GET /v1/platform; without one any key will do, and is printed." placeholder:"KEY"`
	File   string `arg:"" type:"existingfile" help:"File with the signed answer, byte for byte as it was received."`
}

// Errors of an answer that is not confirmed.
var (
	errOtherKey    = errors.New("the answer is signed with another key than --key")
	errOtherRegion = errors.New("the region is not the one of the answer, so that it cannot be computed again")
	errDiffers     = errors.New("the answer computed again differs from the signed one")
)

// Run verifies the answer, computes it again and prints what differs.
func (c *Command) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *Command) run(ctx context.Context, out io.Writer) error {
	document, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	answer, s, err := evidence.Verify(document)
	if err != nil {
		return err
	}
	if c.Key != "" && c.Key != s.Key {
		return fmt.Errorf("%w: %s", errOtherKey, s.Key)
	}
	if _, err := fmt.Fprintf(out, "The signature fits.\n  key      %s\n  at       %s\n  call     %s\n  engine   %s %s, gateway %s\n  region   %s\n  request  %s\n", s.Key, s.At.Format("2006-01-02 15:04:05Z"), s.Call, s.Engine, s.Version, s.Gateway, s.Region, s.Request); err != nil {
		return err
	}
	if c.Region == "" {
		return nil
	}
	here, release, err := world.OpenFolder(c.Region, os.Stderr)
	if err != nil {
		return err
	}
	defer release()
	if here.Hash() != s.Region {
		return fmt.Errorf("%w: it is %s and the answer's is %s", errOtherRegion, here.Hash(), s.Region)
	}
	again, err := route.Replay(ctx, here, []byte(s.Request))
	if err != nil {
		return err
	}
	list, err := evidence.Differences(answer, again, route.NotReplayed()...)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err = fmt.Fprintln(out, "Computed again on the same region, the answer is the same.")
		return err
	}
	text := fmt.Sprintf("Computed again on the same region by %s, the answer differs:\n", here.Engine.Can().Name)
	for _, one := range list {
		text += "  " + one + "\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	return errDiffers
}

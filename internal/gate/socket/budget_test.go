package socket

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"

	"cove/internal/cdp"
)

func TestMessagesOfEverySizeAreReadWhole(t *testing.T) {
	for _, size := range []int{0, 1, Large - 1, Large, Large + 1, 2 * Large, 2*Large + 5, cdp.MaxMessage - 1,
		cdp.MaxMessage, cdp.MaxMessage + 1, cdp.MaxMessage + Large} {
		b := NewBudget(MaxInflight)
		text := bytes.Repeat([]byte("0123456789abcde\n"), size/16+1)[:size]
		in, err := readMessage(bytes.NewReader(text), b)
		if err != nil {
			t.Fatal(err)
		}
		if size > cdp.MaxMessage {
			if in.Over != size || in.Crowded || len(in.Raw) > 10<<10 || b.Available() != MaxInflight {
				t.Errorf("%d bytes: over %d, crowded %v, kept %d, held %d", size, in.Over, in.Crowded, len(in.Raw),
					in.Reserved)
			}
			continue
		}
		if in.Over != 0 || !bytes.Equal(in.Raw, text) || b.Available() != MaxInflight-in.Reserved {
			t.Errorf("%d bytes: read %d, over %d", size, len(in.Raw), in.Over)
		}
	}
	for _, broken := range []int{10, Large + 10} {
		b := NewBudget(MaxInflight)
		g := io.MultiReader(bytes.NewReader(make([]byte, broken)), iotest.ErrReader(context.Canceled))
		if in, err := readMessage(g, b); err == nil || in.Reserved != 0 || b.Available() != MaxInflight {
			t.Errorf("a connection that breaks after %d bytes: %v", broken, err)
		}
	}
}

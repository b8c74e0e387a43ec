package signin

import (
	"testing"

	"cove/internal/account"
)

func TestTheOldestCodeMakesRoomForANewOne(t *testing.T) {
	p := New(nil)
	for range 3 * maxSignIns {
		p.Code(account.Account{}, false)
	}
	if n := len(p.codes); n > maxSignIns {
		t.Errorf("%d codes are stored", n)
	}
}

package signin

import "testing"

func TestTheWindowIsAskedOnceInAWhile(t *testing.T) {
	var u Unlocks
	u.Add("a")
	if !u.Has("a") || u.Has("b") || u.Has("") {
		t.Error("who is unlocked")
	}
	u.Forget()
	if u.Has("a") {
		t.Error("a changed PIN leaves a window unlocked")
	}
}

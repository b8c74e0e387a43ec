package sqlite

import (
	"testing"

	"cove/internal/fault"
	"cove/internal/profile"
)

func TestViews(t *testing.T) {
	file := newFile(t)
	vs := open(t, file).Views()
	shops, err := vs.Create(t.Context(), profile.View{Name: "shops", Address: "/?tag=shop"})
	if err != nil {
		t.Fatal(err)
	}
	busy, err := vs.Create(t.Context(), profile.View{Name: "Busy", Address: "/?state=open"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = vs.Create(t.Context(), profile.View{Name: "SHOPS", Address: "/?q=x"})
	wantFault(t, err, fault.Conflict, "E_EXISTS")

	rename := func(to string) func(*profile.View) error {
		return func(v *profile.View) error {
			v.Name = to
			return nil
		}
	}
	_, err = vs.Update(t.Context(), busy.ID, rename("Shops"))
	wantFault(t, err, fault.Conflict, "E_EXISTS")
	_, err = vs.Update(t.Context(), 99, rename("x"))
	wantFault(t, err, fault.NotFound, "E_NOT_FOUND")
	if v, err := vs.Update(t.Context(), shops.ID, rename("Shops")); err != nil || v.Address != "/?tag=shop" {
		t.Errorf("got %+v, %v", v, err)
	}
	all, err := vs.List(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "Busy" || all[1] != (profile.View{ID: shops.ID, Name: "Shops",
		Address: "/?tag=shop", Created: shops.Created}) {
		t.Errorf("got %+v, %v", all, err)
	}
	if err := vs.Delete(t.Context(), busy.ID); err != nil {
		t.Error(err)
	}
	wantFault(t, vs.Delete(t.Context(), busy.ID), fault.NotFound, "E_NOT_FOUND")
}

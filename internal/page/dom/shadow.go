package dom

import "context"

// maxClosed bounds how many elements of one frame a snapshot checks for a closed shadow root.
const maxClosed = 40

// openShadows hands the closed shadow roots of elements to the walker, and reports whether it found any. Scripts cannot
// see closed roots, but the protocol can.
func (f *Frames) openShadows(ctx context.Context, w World, ids []int) (found bool, err error) {
	ids = ids[:min(len(ids), maxClosed)]
	for _, id := range ids {
		host, err := f.invoke(ctx, w, false, "function(id){return cove.get(id)}", id)
		if err != nil {
			return found, err
		}
		if host.ObjectID == "" {
			continue
		}
		root, err := f.closedRoot(ctx, w, host.ObjectID)
		if err != nil {
			return found, err
		}
		if root == "" {
			continue
		}
		found = true
		err = f.target.Call(ctx, w.Session, "Runtime.callFunctionOn", object{
			"functionDeclaration": "function(root){cove.adopt(this,root)}", "objectId": host.ObjectID,
			"arguments": []object{{"objectId": root}}}, nil)
		if err != nil {
			return found, err
		}
	}
	return found, f.Run(ctx, w, nil, "function(ids){cove.asked(ids);return 0}", ids)
}

// closedRoot returns the closed shadow root of an element as an object id, or "" when it has none.
func (f *Frames) closedRoot(ctx context.Context, w World, host string) (string, error) {
	var described struct {
		Node struct {
			Shadows []struct {
				Type    string `json:"shadowRootType"`
				Backend int    `json:"backendNodeId"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	params := object{"objectId": host, "depth": 1, "pierce": true}
	if err := f.target.Call(ctx, w.Session, "DOM.describeNode", params, &described); err != nil {
		return "", err
	}
	for _, s := range described.Node.Shadows {
		if s.Type == "closed" {
			return f.resolve(ctx, w.Session, s.Backend, w.ID)
		}
	}
	return "", nil
}

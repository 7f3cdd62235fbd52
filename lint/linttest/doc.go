// Package linttest holds checks of CustomResourceDefinitions to cases that are
// data, and writes the page that tells of the checks from the same cases.
//
// A [Suite] has a base, which is a definition that no check has anything to say
// about, and one file per check, named for it: observed-generation.json. The
// file has a bad case, which that check and no other finds, and a good one, its
// nearest neighbour, which none finds; both are patches of the base:
//
//	{
//	  "bad": {
//	    "it": "has no observedGeneration",
//	    "crd": {"spec": {"versions": {"0": {"schema": {"openAPIV3Schema": {"properties": {"status": {"properties": {"observedGeneration": null}}}}}}}}}
//	  },
//	  "good": {"it": "has one", "crd": {}}
//	}
//
// A patch is a merge patch (RFC 7396) that may also name items of a list by
// their index. "versions" names further served versions that are copies of the
// first, made before the patch; "beside" are other objects of the bundle;
// "declared" are the types of conditions of kinds; "more" are further cases,
// each with the names of the checks that it wants, in order.
//
// Packages with checks of their own use it with two tests:
//
//	var suite = linttest.Suite{Base: "testdata/base.json", Dir: "testdata", Checks: Checks, All: slices.Concat(lint.Checks, Checks)}
//
//	func TestCases(t *testing.T)      { suite.Test(t) }
//	func TestChecksPage(t *testing.T) { suite.PageIs(t, "../docs/checks-mine.md", title, intro, *update) }
//
// Cases of another form are held to the same by [Run].
package linttest

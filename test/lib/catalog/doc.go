// Package catalog is the controller of Catalogs (catalogs.shop.example.com), the custom
// resource of examples/shop. Like most controllers it has a queue, one function that reconciles
// one object, and a status that arrives late. A new Catalog has no status at all for [NoticeDelay];
// then it is Ready=False while its products are indexed, for [WorkDuration]; then it is
// Ready=True. A changed Catalog keeps the status of its old generation for [NoticeDelay].
package catalog

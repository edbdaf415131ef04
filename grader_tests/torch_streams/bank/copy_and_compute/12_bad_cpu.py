# cpu() for each product.
# breaks: 5
# kills: test_copy_beside_the_next_product, test_goes_on, test_pinned
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    for x in xs:
        consume((x @ x).cpu())

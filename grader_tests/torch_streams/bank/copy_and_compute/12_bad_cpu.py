# cpu() for each product.
# breaks: 5
# kills: test_consume_after_the_copy, test_copy_beside_the_next_product, test_first_result_is_not_late, test_goes_on, test_memory, test_no_race, test_pinned
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    for x in xs:
        consume((x @ x).cpu())

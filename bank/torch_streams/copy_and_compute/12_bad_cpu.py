# cpu() for each product.
# breaks: a copy without a wait
# misconception: copy-is-free
def copy_and_compute(xs, consume):
    for x in xs:
        consume((x @ x).cpu())
